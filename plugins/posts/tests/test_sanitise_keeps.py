"""What the sanitiser keeps, repairs, completes and counts."""

import pytest

from cms_posts.guards import ContentTooComplex
from cms_posts.html import sanitize
from cms_posts.profiles import ARTICLE, COMMENT

HOSTS = ("www.youtube.com", "player.vimeo.com", "open.example.org/embed-me/")

KEPT = [
    "<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6>",
    '<ul><li>a<ul><li>b</li></ul></li></ul><ol start="3"><li>c</li></ol><dl><dt>t</dt><dd>d</dd></dl>',
    '<table class="x"><caption>c</caption><colgroup><col span="2"></colgroup><tbody><tr></tr></tbody></table>',
    '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
    '<table><tbody><tr><td style="text-align: right">b</td></tr></tbody></table>',
    '<figure><img src="/media/a.jpg" alt="An image"><figcaption>c</figcaption></figure>',
    '<img src="/media/a.jpg" srcset="/media/a.jpg 1x, /media/b.jpg 2x" width="10" loading="lazy">',
    '<picture><source srcset="/a.avif" type="image/avif"><img src="/a.jpg" alt=""></picture>',
    '<p>a <a href="https://example.org/?a=1&amp;b=2#c" title="t">link</a></p>',
    '<p><a href="mailto:a@b.c">mail</a>, <a href="tel:+90123">call</a>, <a href="#top">x</a>, <a href="../y">y</a></p>',
    '<iframe src="https://www.youtube.com/embed/dQw4w9?start=3" width="560" allowfullscreen=""></iframe>',
    '<iframe src="https://player.vimeo.com/video/1"></iframe>',
    '<video src="/a.mp4" poster="/a.jpg" controls=""><track src="/a.vtt" kind="captions"></video>',
    '<pre><code class="language-python">if a &lt; b and c &gt; d:\n    pass\n</code></pre>',
    "<pre>\n\nfirst line is empty</pre>",
    "<table><tbody><tr><td><pre>\n\nfirst line is empty</pre></td></tr></tbody></table>",
    "<blockquote><p>q</p></blockquote><p>H<sub>2</sub>O x<sup>2</sup> <b>b</b><i>i</i><em>e</em><br>y</p><hr>",
    '<details open=""><summary>s</summary><p>x</p></details><p lang="tr" dir="ltr" id="çapa">ş&nbsp;ğ</p>',
    '<p style="color: #ff0000; text-align: center">x</p><ruby>漢<rt>kan</rt></ruby>',
    "<p>\"quotes\" and 'apostrophes' &amp; ampersands &amp;amp; ©</p>",
]


@pytest.mark.parametrize("html", KEPT)
def test_article_keeps_what_articles_are_made_of(html: str) -> None:
    cleaned = sanitize(html, ARTICLE, HOSTS)
    assert cleaned.html == html
    assert not cleaned.removed


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<pre>\nx</pre>", "<pre>x</pre>"),
        ("<table><td><pre>\n x</pre></table>", "<table><tbody><tr><td><pre> x</pre></td></tr></tbody></table>"),
        ("<B>x</B><BR/>", "<b>x</b><br>"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<table><tr><td>1<td>2</table>", "<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>"),
        ("<img alt='He said \"x\" &amp; y'>", '<img alt="He said &quot;x&quot; &amp; y">'),
        ("<a title='>' href='?a&amp;b'>x</a>", '<a title="&gt;" href="?a&amp;b">x</a>'),
        ("a < b &copy; &#169;", "a &lt; b © ©"),
        ("<html><head></head><body><p>x</body></html>", "<p>x</p>"),
        ("<p><!-- note -->x</p>", "<p>x</p>"),
    ],
)
def test_repairs_are_made_and_not_counted(sent: str, kept: str) -> None:
    cleaned = sanitize(sent)
    assert cleaned.html == kept
    assert not cleaned.removed


@pytest.mark.parametrize(
    ("sent", "tags", "attributes"),
    [
        ("<script>1</script><script>2</script>", {"script": 2}, {}),
        ('<p onclick="a" ondrag="b">x</p><b onclick="c">y</b>', {}, {"onclick": 2, "ondrag": 1}),
        ('<a href="javascript:1">x</a>', {}, {"href": 1}),
        ("<iframe src=https://evil.example/embed/1 onload=x class=y></iframe>", {"iframe": 1}, {}),
        ("<iframe src=https://www.youtube.com/embed/1 onload=x></iframe>", {}, {"onload": 1}),
        ("<form><input><button>x</button></form>", {"form": 1, "input": 1, "button": 1}, {}),
        ("<svg onload=a><path d=b /><a href=javascript:1>x</a><foo></svg>", {"svg": 1}, {}),
        ("<template><p onclick=a>x</p></template>", {"template": 1}, {}),
        ("<p style='color:red;position:fixed'>x</p>", {}, {"style": 1}),
        ("<custom-element data-a=1>x</custom-element>", {"custom-element": 1}, {}),
        ("<title>t</title><meta charset=utf-8><link rel=a>", {"title": 1, "meta": 1, "link": 1}, {}),
        ("<b><p onclick=a>x</b>y</p>", {}, {"onclick": 1}),
    ],
)
def test_what_a_client_would_miss_is_counted(sent: str, tags: dict[str, int], attributes: dict[str, int]) -> None:
    removed = sanitize(sent, ARTICLE, HOSTS).removed
    assert removed.detail() == {"tags": tags, "attributes": attributes}


def test_counts_name_no_more_than_an_answer_can_hold() -> None:
    removed = sanitize("".join(f"<x{number}{'y' * 100}>" for number in range(200))).removed
    assert len(removed.tags) == 50
    assert max(map(len, removed.tags)) == 40


@pytest.mark.parametrize(
    ("link", "kept"),
    [
        ('<a href="/x" target="_blank">', '<a href="/x" target="_blank" rel="noopener noreferrer">'),
        (
            '<a href="/x" target="_BLANK" rel="nofollow opener">',
            '<a href="/x" target="_blank" rel="nofollow noopener noreferrer">',
        ),
        ('<a href="/x" target="other">', '<a href="/x">'),
        ('<a href="/x" rel="nofollow sponsored">', '<a href="/x" rel="nofollow sponsored">'),
        ('<a href="/x" rel="opener prefetch">', '<a href="/x">'),
    ],
)
def test_links_of_articles_do_not_hand_out_their_window(link: str, kept: str) -> None:
    assert sanitize(f"{link}x</a>").html == f"{kept}x</a>"


def test_links_of_comments_are_not_followed_and_images_embeds_and_headings_go() -> None:
    cleaned = sanitize(
        '<h1>a</h1><p>b <a href="https://x.example" rel="me" target="_blank">c</a> <img src=x> <b>d</b></p>'
        "<iframe src=https://www.youtube.com/embed/x>e</iframe><video>f</video>",
        COMMENT,
        HOSTS,
    )
    assert cleaned.html == 'a<p>b <a href="https://x.example" rel="nofollow ugc">c</a>  <b>d</b></p>'
    assert cleaned.removed.tags == {"h1": 1, "img": 1, "iframe": 1, "video": 1}


def test_players_of_the_listed_hosts_stay_and_lose_their_text() -> None:
    sent = "<iframe src=//www.youtube.com/embed/x>fall<b>back</b></iframe>"
    assert sanitize(sent, ARTICLE, HOSTS).html == '<iframe src="https://www.youtube.com/embed/x"></iframe>'
    assert sanitize(sent, ARTICLE, ()).html == ""
    assert sanitize("<iframe src=http://www.youtube.com/embed/x></iframe>", ARTICLE, HOSTS).html == ""


def test_entry_with_a_path_allows_just_that_path() -> None:
    def kept(path: str) -> bool:
        return "iframe" in sanitize(f"<iframe src=https://open.example.org{path}></iframe>", ARTICLE, HOSTS).html

    assert kept("/embed-me/1")
    assert not kept("/embed/1")
    assert not kept("/embed-me/../x")


@pytest.mark.parametrize("entity", ["&#" + "1" * 5000 + ";", "&#x" + "f" * 5000])
def test_entity_without_end_is_one_unknown_character(entity: str) -> None:
    assert sanitize(f'<p title="{entity}">{entity}</p>').html == '<p title="\ufffd">\ufffd</p>'


def test_tangle_that_one_pass_does_not_settle_gets_another() -> None:
    assert sanitize("<h2><table>x<h5>y").html == "<h2>x</h2><h5>y</h5><table></table>"


def test_tangle_that_never_settles_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cms_posts.html.MOST_ROUNDS", 1)
    with pytest.raises(ContentTooComplex, match="do not settle"):
        sanitize("<h2><table>x<h5>y")
