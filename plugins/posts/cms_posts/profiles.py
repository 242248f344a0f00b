"""What may stay in content: the lists behind the sanitiser's two profiles."""

from collections.abc import Mapping
from dataclasses import dataclass


def words(*lists: str) -> frozenset[str]:
    """Give the set of the words in some lists."""
    return frozenset(" ".join(lists).split())


#: Elements that go together with what is in them: code, other languages than HTML, forms' text, and everything whose
#: content a parser reads in a way of its own.
DROPPED = words("script style noscript template noembed noframes xmp plaintext title textarea svg math object select")


#: Elements without content and end tag.
VOID = words("area base br col embed hr img input link meta param source track wbr")


@dataclass(frozen=True, slots=True)
class Profile:
    """One list of what is allowed. Names are lower case."""

    tags: frozenset[str]
    #: Attributes by tag; under "*" those of every tag.
    attributes: Mapping[str, frozenset[str]]
    #: Elements that are removed together with their content.
    dropped: frozenset[str] = DROPPED
    #: `rel` of every link; None leaves a link's own, cut to what is harmless.
    link_rel: str | None = None

    def allows(self, tag: str, attribute: str) -> bool:
        """Whether the attribute may stand on the tag, its value apart."""
        return attribute in self.attributes.get(tag, ()) or attribute in self.attributes.get("*", ())


#: Posts and pages: headings, lists, tables, images, links and video embeds remain (spec, POST /posts).
ARTICLE = Profile(
    tags=words(
        "h1 h2 h3 h4 h5 h6 p br hr wbr div span section article aside header footer main nav address",
        "ul ol li dl dt dd blockquote q cite pre code kbd samp var",
        "table caption colgroup col thead tbody tfoot tr th td",
        "figure figcaption picture source img video audio track iframe details summary",
        "a abbr b bdi bdo del dfn em i ins mark rp rt ruby s small strike strong sub sup time u",
    ),
    attributes={
        "*": words("class id title lang dir style role aria-label aria-hidden aria-describedby aria-labelledby"),
        "a": words("href target rel hreflang"),
        "img": words("src srcset sizes alt width height loading decoding"),
        "source": words("src srcset sizes media type width height"),
        "video": words("src poster controls width height loop muted playsinline preload"),
        "audio": words("src controls loop muted preload"),
        "track": words("src kind srclang label default"),
        "iframe": words("src width height allow allowfullscreen loading referrerpolicy frameborder"),
        "table": words("border cellpadding cellspacing width align"),
        "col": words("span width align"),
        "colgroup": words("span width align"),
        "th": words("colspan rowspan headers scope abbr align valign width"),
        "td": words("colspan rowspan headers align valign width"),
        "tr": words("align valign"),
        "ol": words("start type reversed"),
        "ul": words("type"),
        "li": words("value"),
        "details": words("open"),
        "time": words("datetime"),
        "blockquote": words("cite"),
        "q": words("cite"),
        "del": words("cite datetime"),
        "ins": words("cite datetime"),
    },
)

#: Comments: a few inline tags and paragraphs, links that no search engine follows; no images, embeds or headings.
COMMENT = Profile(
    tags=words("p br a b strong i em s del code pre blockquote q ul ol li"),
    attributes={"a": words("href title rel")},
    dropped=DROPPED | words("iframe video audio"),
    link_rel="nofollow ugc",
)
