"""The pages to play on. Read address, serving, server, rooms, hub, links, messages, then static/play.js."""
