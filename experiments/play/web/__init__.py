"""The page to play on. Read server, hub, links, messages, then static/play.js. static/ also holds the replay page."""
