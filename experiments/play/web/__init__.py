"""The page to play on. Read server, hub, links, page_view, then static/play.js. static/ also holds the replay page."""
