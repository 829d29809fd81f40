"""Nicodemus: repair old machines and complete projects before the other player does. The rules: RULES.md."""
