"""Run-time settings of media."""

from cms_host.api import Host, Setting
from cms_media.judging import Encoding

AVIF_QUALITY = Setting(
    "media.avif_quality", 60, "Quality of AVIF variants, of 100; larger files look better.", minimum=1, maximum=100
)
AVIF_SPEED = Setting(
    "media.avif_speed",
    8,
    "Speed at which AVIF variants are made; 6 takes four times as long as 8 for 7 % fewer bytes.",
    minimum=0,
    maximum=10,
)
WEBP_QUALITY = Setting("media.webp_quality", 80, "Quality of WebP variants, of 100.", minimum=1, maximum=100)
WEBP_METHOD = Setting(
    "media.webp_method", 2, "Effort for WebP variants; 6 takes longest for the fewest bytes.", minimum=0, maximum=6
)


def encoding(host: Host) -> Encoding:
    """How variants are encoded now."""
    values = host.settings
    return Encoding(values[AVIF_QUALITY], values[AVIF_SPEED], values[WEBP_QUALITY], values[WEBP_METHOD])
