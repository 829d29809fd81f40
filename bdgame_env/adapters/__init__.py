"""The games as environments of the reinforcement-learning frameworks; nothing here knows a particular game."""
