"""The pages to play on. Read serving, server, rooms, hub, links, messages, then static/play.js."""
