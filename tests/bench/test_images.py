"""Images as awkward as they come go through the real service and come out as they should; what does not is told."""

import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bench.awkward import SCRIPT, Made, Sample, look_of, samples
from bench.folder import samples_of
from bench.images import Outcome, outcomes
from bench.memory import Memory, Peak
from bench.photographs import png, saved, scene
from bench.service import running_service
from bench.shown import Served, faults

SIZE = (120, 80)
HEADERS = {"Content-Type": "image/x", "X-Content-Type-Options": "nosniff"}
Change = Callable[[dict[str, Any], dict[str, Served]], None]


@pytest.mark.slow
def test_every_image_is_answered_and_shown_as_it_should_be(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "a.jpg").write_bytes(saved(scene(*SIZE), "JPEG"))
    (own / "notes.txt").write_text("What was seen")
    chosen = [*samples((300, 200), SIZE), *samples_of(own)]
    site_folder = tmp_path / "site"
    site_folder.mkdir()
    with running_service(site_folder, 5, None) as site:
        found = list(outcomes(site, chosen))

    assert {one.name: one.wrong for one in found if one.wrong} == {}
    assert [one.status for one in found] == [one.status for one in chosen]
    assert [one.status for one in found[-2:]] == [201, 422]
    assert all(len(one.variants) == 2 for one in found if one.status == 201)
    assert all(one.peak.worker > 0 for one in found)


def served(made: Made, image: Image.Image, **options: Any) -> tuple[dict[str, Any], dict[str, Served]]:
    """What the service would say and give if the variants showed this."""
    width, height = made.size
    record = {"size": len(made.file), "sha256": hashlib.sha256(made.file).hexdigest(), "width": width, "height": height}
    files = {"original": made.file, **{kind: saved(image, kind.upper(), **options) for kind in ("avif", "webp")}}
    return record, {kind: Served(content, HEADERS) for kind, content in files.items()}


@pytest.fixture
def made() -> Made:
    image = scene(*SIZE)
    return Made(saved(image, "JPEG"), SIZE, look_of(image))


def test_what_is_right_has_no_faults(made: Made) -> None:
    assert faults(made, *served(made, scene(*SIZE))) == []


def _maker() -> Image.Exif:
    exif = Image.Exif()
    exif[271] = "A camera"
    return exif


@pytest.mark.parametrize(
    ("change", "options", "told"),
    [
        (lambda image: image.transpose(Image.Transpose.ROTATE_180), {}, "off by"),
        (lambda image: image.transpose(Image.Transpose.ROTATE_90), {}, "not (120, 80)"),
        (lambda image: image.convert("L").convert("RGB"), {}, "off by"),
        (lambda image: image.convert("RGBA"), {}, "off by"),
        (lambda image: image, {"exif": _maker()}, "still has"),
        (lambda image: image, {"xmp": b"<xmpmeta>A camera</xmpmeta>"}, "still has"),
        (lambda image: image, {"icc_profile": b"x" * 200}, "has a colour profile"),
        (lambda image: image, {"save_all": True, "append_images": [Image.new("RGB", SIZE)]}, "several frames"),
    ],
    ids=["upside down", "on its side", "grey", "see-through", "EXIF data", "XMP", "a profile", "frames"],
)
def test_what_is_wrong_with_variants_is_told(
    made: Made, change: Callable[[Image.Image], Image.Image], options: Mapping[str, Any], told: str
) -> None:
    image = change(scene(*SIZE))
    if image.mode == "RGBA":
        image.putalpha(40)
    found = faults(made, *served(made, image, **options))

    for kind in ("avif", "webp"):
        assert any(fault.startswith(f"{kind}: ") and told in fault for fault in found), found


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda record, files: record.update(width=80, height=120), "the record says"),
        (lambda record, files: files.update(original=Served(b"", HEADERS)), "not what was sent"),
        (lambda record, files: files.update(original=files["original"]._replace(headers={})), "Content-Type is None"),
        (lambda record, files: files.update(avif=Served(b"none", HEADERS)), "avif: can't be decoded"),
        (lambda record, files: files.update(webp=Served(files["webp"].content + SCRIPT, HEADERS)), "webp: still has"),
    ],
    ids=["size", "original", "headers", "no image", "script"],
)
def test_what_is_wrong_beside_the_picture_is_told(made: Made, change: Change, told: str) -> None:
    record, files = served(made, scene(*SIZE))
    change(record, files)

    assert [fault for fault in faults(made, record, files) if told in fault]


def test_goals_are_missed_by_what_is_slow_or_large() -> None:
    def missed(status: int, seconds: float, worker: int, host: int) -> list[str]:
        return Outcome("", 0, status, seconds, Peak(worker, host), (), [], {}).missed

    assert missed(201, 9.0, 512, 64) == missed(422, 2.0, 100, 0) == []
    assert missed(422, 2.1, 513, 65) == ["time", "worker", "host"]


def test_the_most_memory_of_each_span_is_its_own() -> None:
    """This process is no worker, so it counts as one that serves."""
    memory = Memory(os.getpid())
    grown = []
    for size in (64 << 20, 1):
        memory.begin()
        bytearray(os.urandom(1)) * size
        grown.append(memory.end().host)

    assert grown[0] >= 60
    assert grown[1] < 30


def test_files_of_somebodys_own_are_judged_by_pillow_alone(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[274] = 6
    (tmp_path / "a.jpg").write_bytes(saved(scene(*SIZE), "JPEG", exif=exif))
    (tmp_path / "b.tif").write_bytes(saved(scene(*SIZE), "TIFF"))
    (tmp_path / "c.png").write_bytes(png(10_000, 5_001, 1, 0, []))
    for name, alpha in (("d.png", 255), ("e.png", 254)):
        image = scene(*SIZE)
        image.putalpha(alpha)
        (tmp_path / name).write_bytes(saved(image, "PNG"))
    found: list[Sample] = samples_of(tmp_path)
    looks = [one.make().look for one in found]

    assert [one.status for one in found] == [201, 422, 422, 201, 201]
    assert found[0].make().size == (80, 120)
    assert [look and look.mode for look in looks] == ["RGB", None, None, "RGB", "RGBA"]
