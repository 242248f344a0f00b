"""Sketches of texts, each made once: the rule prepares one, and what is then saved asks for the same."""

from collections import OrderedDict
from hashlib import blake2b

from cms_host.api import Shape, Sketch, Workers, sketch

#: One band more than the recall at the default threshold needs, for posts that nobody has shortened: see the rule.
SHAPE = Shape(bands=16, rows=5)
#: Characters from which on a text goes to a worker; below, it takes a few milliseconds at most.
LONG = 20_000
#: Texts that are remembered; a sketch is a hundred bytes.
_REMEMBERED = 64


class Sketches:
    """Remembers the last sketches by what they were made of. One for each host."""

    def __init__(self) -> None:
        self._made: OrderedDict[bytes, Sketch | None] = OrderedDict()

    async def of(self, workers: Workers, text: str) -> Sketch | None:
        """The sketch of a text; None where it has fewer than five words.

        :raises Busy: the text is long and the workers have no time for it. :raises TooComplex: they took too long.
        """
        digest = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).digest()
        if digest not in self._made:
            is_long = len(text) >= LONG
            self._made[digest] = await workers.run(sketch, text, SHAPE) if is_long else sketch(text, SHAPE)
            if len(self._made) > _REMEMBERED:
                self._made.popitem(last=False)
        return self._made[digest]
