"""Made-up texts, each unlike every other: what the gate compares must not stand in the way of what is tried here."""

from random import Random

_SYLLABLES = [
    "ba",
    "ke",
    "li",
    "mo",
    "nu",
    "ra",
    "se",
    "ti",
    "vo",
    "zu",
    "da",
    "fe",
    "gi",
    "ho",
    "ju",
    "la",
    "me",
    "ni",
    "po",
    "ru",
]


def words(chance: Random, count: int) -> str:
    return " ".join("".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4))) for _ in range(count))


def title(chance: Random) -> str:
    return words(chance, 6).capitalize()


def article(chance: Random) -> str:
    """HTML that the sanitiser gives back as it is, long enough to be published."""
    paragraphs = "".join(f"<p>{words(chance, 60)}.</p>" for _ in range(6))
    return f"<h2>{words(chance, 3)}</h2>{paragraphs}"
