"""Games that people play, with agents or each other: sessions, text, pages, replays."""
