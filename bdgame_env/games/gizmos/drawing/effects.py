"""What the cards of Gizmos do: each effect in the few words of a card and in those of a sentence."""

from __future__ import annotations

from typing import NamedTuple

from .. import cards
from .signs import Sign

# A line on a card: words, numbers of colors for marbles, and signs.
Words = list[str | int | Sign]


class Effect(NamedTuple):
    """One effect, or one half of it."""

    lines: list[Words]  # on the card
    words: str  # in a sentence


_GIFTS = {  # on the card, in a sentence for 1 and for more
    "draw": ("draw {}", "draw a random marble", "draw {} random marbles"),
    "pick": ("pick {}", "pick a marble from the row", "pick {} marbles from the row"),
    "points": ("+{} point{s}", "gain 1 point", "gain {} points"),
    "file": ("file a card", "file a card", "file {} cards"),
    "free_build": ("level 1 free", "build a level-1 card for free", "build {} level-1 cards for free"),
    "research": ("research", "research a deck", "research {} times"),
}
_LIMITS = {
    "ring": ("1 more marble in your ring", "{} more marbles in your ring"),
    "archive": ("1 more card in your archive", "{} more cards in your archive"),
    "research": ("1 more card per Research", "{} more cards per Research"),
}
_DISCOUNTS = {
    "level2": Effect([["costs 1 less"], ["for level 2"]], "level-2 cards cost 1 less"),
    "archive": Effect([["costs 1 less"], ["from archive"]], "cards from your archive cost 1 less"),
    "research": Effect([["costs 1 less"], ["from research"]], "cards you researched cost 1 less"),
}
_BANS = {
    "file": Effect([["no filing"]], "you can no longer file cards"),
    "research": Effect([["no research"]], "you can no longer research"),
}
_SCORERS = {
    "ring": Effect([["at the end:"], ["1 point a marble"]], "at the end, 1 point for each marble in your ring"),
    "tokens": Effect([["at the end:"], ["tokens twice"]], "at the end, score your point tokens again"),
}


def effects(card: int) -> list[Effect]:
    """What a card does: the halves of a converter, a condition and a gift, or upgrades."""
    if cards.KIND[card] == cards.CONVERTER_CARD:
        return [conversion(half) for half in cards.CONVERTER_TYPES[cards.CONVERTER[card]].split("+")]
    if cards.WHEN[card]:
        return [_condition(card), gift(cards.CREDITS[cards.CREDIT[card]], int(cards.AMOUNT[card]))]
    found = [_more(name, int(more)) for name, more in zip(cards.LIMITS, cards.ADDS[card], strict=True) if more]
    found += [_DISCOUNTS[scope] for scope, there in zip(cards.SCOPES, cards.DISCOUNTS[card], strict=True) if there]
    found += [_BANS[ban] for ban, there in zip(cards.BANS, cards.BANNED[card], strict=True) if there]
    return found + [_SCORERS[scorer] for scorer, there in zip(cards.SCORERS, cards.SCORES[card], strict=True) if there]


def says(card: int) -> list[Words]:
    """What a card does, in one or two lines (three for the largest upgrade), the sign of its kind first."""
    lines = [list(line) for effect in effects(card) for line in effect.lines]
    if cards.KIND[card] == cards.CONVERTER_CARD:
        lines[0].insert(0, Sign("convert"))
    elif not cards.WHEN[card]:
        lines[0].insert(0, Sign("upgrade"))
    return lines


def sentence(card: int) -> str:
    """What a card does, in a sentence without its dot."""
    told = [effect.words for effect in effects(card)]
    return f"when you pay, {' and '.join(told)}" if cards.KIND[card] == cards.CONVERTER_CARD else ", ".join(told)


def gift(credit: str, number: int) -> Effect:
    """What a number of credits is good for."""
    short, one, several = _GIFTS[credit]
    plural = "" if number == 1 else "s"
    return Effect([["→ ", short.format(number, s=plural)]], one if number == 1 else several.format(number))


def conversion(half: str) -> Effect:
    """One half of a converter, given in the notation of `convert TYPE`."""
    take, _, give = half.partition("-")
    twice, take = take.startswith("2"), take.removeprefix("2")
    if take == "any":
        return Effect([["any → any"]], "one marble of any color counts as any other")
    color = cards.COLORS.index(take)
    if give != "any":
        return Effect([[color, " → ", color, color]], f"one {take} counts as two")
    told = f"one {take} counts as any color{' (twice)' if twice else ''}"
    lines: list[Words] = [[color, " → any"], ["twice"]]
    return Effect(lines if twice else lines[:1], told)


def _more(limit: str, number: int) -> Effect:
    one, several = _LIMITS[limit]
    return Effect([[f"{limit} +{number}"]], one if number == 1 else several.format(number))


def _condition(card: int) -> Effect:
    bits, builds = int(cards.WHEN[card]), cards.KIND[card] == cards.BUILD_CARD
    if cards.KIND[card] == cards.FILE_CARD:
        return Effect([[Sign("file", "file")]], "when you file a card")
    if bits & cards.ON_BUILD_FROM_ARCHIVE:
        return Effect([[Sign("build", "build"), " from archive"]], "when you build from your archive")
    if bits & cards.ON_BUILD_LEVEL_2:
        return Effect([[Sign("build", "build"), " level 2"]], "when you build a level-2 card")
    verb, first, what = ("build", cards.ON_BUILD, "card") if builds else ("pick", cards.ON_PICK, "marble")
    colors = [color for color in range(cards.NUM_COLORS) if bits & first << color]
    told = " or ".join(cards.COLORS[color] for color in colors)
    return Effect([[Sign(verb, verb), " ", *colors]], f"when you {verb} a {told} {what}")
