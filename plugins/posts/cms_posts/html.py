"""The sanitiser: bleach's parser and rules, and what bleach leaves open (docs of `Finish`). Only workers import this.

Output is safe to put into a page, and stable: sanitising it again changes nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bleach.html5lib_shim import Filter
from bleach.sanitizer import BleachSanitizerFilter

from cms_posts.guards import ContentTooComplex, without_endless_references
from cms_posts.nesting import is_settled
from cms_posts.parsing import CountingParser, Token, walk
from cms_posts.profiles import ARTICLE, Profile, words
from cms_posts.removed import Removed
from cms_posts.serializing import render
from cms_posts.styles import clean_style
from cms_posts.urls import LINK_SCHEMES, RESOURCE_SCHEMES, is_player, is_safe_srcset, is_safe_url

#: Passes that a text may need to settle (RELIABILITY G20).
MOST_ROUNDS = 3
#: Attributes that are addresses: what a reader may follow, and what a page loads.
_LINKS = frozenset({"href", "cite"})
_RESOURCES = frozenset({"src", "poster"})
#: Link types that neither load nor run anything.
_HARMLESS_REL = words("nofollow ugc sponsored noopener noreferrer external author license bookmark tag footnote")
#: Names that one answer lists, and the length of one: both come from outside.
_MOST_NAMES, _LONGEST_NAME = 50, 40


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Sanitised HTML, and what it lost."""

    html: str
    removed: Removed


def sanitize(html: str, profile: Profile = ARTICLE, embed_hosts: Iterable[str] = ()) -> Cleaned:
    """Sanitise HTML of any kind.

    :param embed_hosts: hosts whose https players may stay in an `iframe`; see `urls.is_player`.
    :raises ContentTooComplex: it does not settle within three passes.
    """
    job = _Job(profile, tuple(embed_hosts))
    html = without_endless_references(html)
    for _ in range(MOST_ROUNDS):
        tokens = job.clean(html)
        cleaned = render(tokens)
        if cleaned == html or is_settled(tokens):
            return Cleaned(cleaned, job.removed())
        html = cleaned
    raise ContentTooComplex(
        f"The content is too complex: its tags are so tangled that {MOST_ROUNDS} passes do not settle them."
    )


class _Job:
    """One call of `sanitize`: its rules, and what they removed."""

    def __init__(self, profile: Profile, embed_hosts: tuple[str, ...]) -> None:
        self.profile = profile
        self.embed_hosts = embed_hosts
        self.tags: Counter[str] = Counter()
        self.attributes: Counter[str] = Counter()
        #: Attributes that the present iframe lost; they count only if the frame itself stays.
        self.of_frame: Counter[str] = Counter()

    def clean(self, html: str) -> list[Token]:
        """One pass: the tokens of what is kept."""
        # What is dropped has to reach the tree, so that a parser reads its content as browsers do.
        parser = CountingParser(self.profile.tags | self.profile.dropped, self.profile.dropped)
        checked = _Rules(
            self._without_dropped(walk(parser.parseFragment(html))),
            allowed_tags=self.profile.tags,
            attributes=self.allows,
            allowed_protocols=LINK_SCHEMES,
            strip_disallowed_tags=True,
            css_sanitizer=self,
        )
        tokens = list(Finish(checked, self))
        self.tags += parser.stripped
        return tokens

    def removed(self) -> Removed:
        return Removed(_listed(self.tags), _listed(self.attributes))

    def allows(self, tag: str, name: str, value: str) -> bool:
        """bleach's question for every attribute; its own check of addresses comes after ours."""
        allowed = self._allows(tag, name, value)
        if not allowed:
            (self.of_frame if tag == "iframe" else self.attributes)[name] += 1
        return allowed

    def sanitize_css(self, style: str) -> str:
        """bleach's question for every `style`."""
        kept, complete = clean_style(style)
        if not complete:
            self.attributes["style"] += 1
        return kept

    def _without_dropped(self, tokens: Iterable[Token]) -> Iterator[Token]:
        """Leave out the profile's dropped elements, and all that is in them."""
        depth = 0
        for token in tokens:
            if depth:
                depth += {"StartTag": 1, "EndTag": -1}.get(token["type"], 0)
            elif token["type"] == "StartTag" and token["name"] in self.profile.dropped:
                self.tags[token["name"]] += 1
                depth = 1
            else:
                yield token

    def _allows(self, tag: str, name: str, value: str) -> bool:
        if not self.profile.allows(tag, name):
            return False
        if name in _RESOURCES:
            return is_player(value, self.embed_hosts) if tag == "iframe" else is_safe_url(value, RESOURCE_SCHEMES)
        if name in _LINKS:
            return is_safe_url(value, LINK_SCHEMES)
        return name != "srcset" or is_safe_srcset(value)


class _Rules(BleachSanitizerFilter):
    """bleach's rules for tags, attributes and addresses."""

    def sanitize_characters(self, token: Token) -> Token:
        # bleach would look for entities, which our parser has read already.
        return token


class Finish(Filter):
    """What bleach leaves open: refused frames go as a whole, frames lose their text, links and `pre` are completed."""

    def __init__(self, source: Iterable[Token], job: _Job) -> None:
        super().__init__(source)
        self._job = job

    def __iter__(self) -> Iterator[Token]:
        in_frame = is_refused = after_pre = False
        for token in super().__iter__():
            kind, name = token["type"], token.get("name")
            if kind == "Characters":
                if in_frame or not token["data"]:
                    continue
                if after_pre and token["data"].startswith("\n"):
                    # Every parser takes the first line break of a `pre` away.
                    token["data"] = "\n" + token["data"]
            elif name == "iframe":
                in_frame = kind == "StartTag"
                is_refused = self._is_refused(token) if in_frame else is_refused
                if is_refused:
                    continue
            if kind in ("StartTag", "EmptyTag"):
                self._complete(token["name"], token["data"])
            after_pre = kind == "StartTag" and name == "pre"
            yield token

    def _is_refused(self, frame: Token) -> bool:
        """Whether a frame is none of the players that may stay; and count what it loses."""
        lost = Counter(self._job.of_frame)
        self._job.of_frame.clear()
        if (None, "src") in frame["data"]:
            self._job.attributes += lost
            return False
        self._job.tags["iframe"] += 1
        return True

    def _complete(self, name: str, attributes: dict[Any, str]) -> None:
        if name == "a":
            self._complete_link(attributes)
        elif name == "iframe" and attributes[None, "src"].lstrip().startswith("//"):
            # Old embed codes name no scheme, and would play over plain http on a page that came so.
            attributes[None, "src"] = "https:" + attributes[None, "src"].lstrip()
        if attributes.get((None, "style")) == "":
            del attributes[None, "style"]

    def _complete_link(self, attributes: dict[Any, str]) -> None:
        rel = [word for word in attributes.pop((None, "rel"), "").lower().split() if word in _HARMLESS_REL]
        if attributes.pop((None, "target"), "").strip().lower() == "_blank":
            attributes[None, "target"] = "_blank"
            rel += ["noopener", "noreferrer"]
        if self._job.profile.link_rel:
            rel = self._job.profile.link_rel.split()
        if rel:
            attributes[None, "rel"] = " ".join(dict.fromkeys(rel))


def _listed(counts: Counter[str]) -> dict[str, int]:
    return {name[:_LONGEST_NAME]: number for name, number in counts.most_common(_MOST_NAMES)}
