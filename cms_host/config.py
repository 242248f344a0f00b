"""Deploy-time configuration: a TOML file under the environment. What it does not know stops the start, by name."""

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

from cms_host.client_ip import ClientIp

#: Environment variable -> key of the file that it overrides.
ENVIRONMENT = {
    "CMS_DATABASE_URL": "database_url",
    "CMS_DATA_DIR": "data_dir",
    "CMS_BASE_URL": "base_url",
    "CMS_REDIS_URL": "redis_url",
    "CMS_MAIL_PASSWORD": "mail.password",
}

#: Least and greatest value of the numbers.
BOUNDS = {
    "port": (0, 65_535),
    "workers": (1, 256),
    "database_pool": (1, 1_000),
    "api_rate_limit": (0, None),
    "max_body_bytes": (1, None),
    "max_upload_bytes": (1, None),
    "content_workers": (1, 256),
    "image_workers": (1, 256),
    "shutdown_timeout": (0, 3_600),
}
MEDIA_STORES = ("local", "s3")
MAIL_SECURITY = ("starttls", "tls", "none")
LOG_LEVELS = ("debug", "info", "warning", "error")
DATABASES = ("sqlite:///", "postgresql://", "postgres://")
REDIS = ("redis://", "rediss://", "unix://")


class ConfigError(Exception):
    """The configuration can't be used; the message says where and why."""


@dataclass(frozen=True, slots=True)
class PluginSwitches:
    """Which plugins are on, by entry-point name."""

    #: Switched off by name; everything else that is installed is on.
    disabled: tuple[str, ...] = ()
    #: When given, exactly these are on.
    enabled: tuple[str, ...] | None = None

    def is_on(self, name: str) -> bool:
        return name in self.enabled if self.enabled is not None else name not in self.disabled

    @property
    def named(self) -> set[str]:
        return {*self.disabled, *(self.enabled or ())}


@dataclass(frozen=True, slots=True)
class MediaStorage:
    """Where the files of uploads are kept."""

    #: `local`, a folder in `data_dir`; or `s3`, a bucket of any service that speaks S3's protocol.
    store: str = "local"
    #: Address of that service; Amazon's when empty.
    endpoint: str = ""
    bucket: str = ""
    #: What the keys of all files begin with; nobody else may keep anything there.
    prefix: str = ""
    region: str = "us-east-1"


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed over. Without a host it becomes files in `data_dir`."""

    host: str = ""
    port: int = 587
    #: Without one, nobody signs in.
    user: str = ""
    #: The environment's CMS_MAIL_PASSWORD wins.
    password: str = field(default="", repr=False)
    #: `starttls`, `tls` from the first byte on, or `none`.
    security: str = "starttls"
    #: The address that mail is from.
    sender: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """One site's deployment."""

    #: The file that was read; None when there was none.
    path: Path | None = None
    #: Address and port that `serve` listens on.
    host: str = "127.0.0.1"
    port: int = 8000
    #: Number of processes that `serve` runs on that port.
    workers: int = 1
    #: Run the site's background jobs in `serve`; without, `cms-host jobs` has to.
    jobs: bool = True
    #: Folder of everything that the site keeps in files.
    data_dir: Path = Path("data")
    #: `sqlite:///PATH` or `postgresql://...`; a file in `data_dir` when empty.
    database_url: str = ""
    #: Connections that one process holds to PostgreSQL at the most.
    database_pool: int = 10
    #: Address of a Redis, `redis://`, `rediss://` (with TLS) or `unix://`; plugins that have a use for one say so.
    redis_url: str = ""
    #: Public address of the site, without a trailing slash; links begin with it.
    base_url: str = ""
    #: Requests per client address and rolling hour; 0 turns the limit off. The environment's API_RATE_LIMIT wins.
    api_rate_limit: int | None = None
    #: Peers whose forwarded header is believed: CIDRs, `loopback`, `private`, `cloudflare`.
    trusted_proxies: tuple[str, ...] = ()
    #: The one header that is read from them.
    forwarded_header: str = "X-Forwarded-For"
    #: Length of the prefix that makes IPv6 clients one client for the rate limit.
    rate_limit_ipv6_prefix: int = 128
    #: Networks that the service may ask although they are not public: CIDRs.
    fetch_allow: tuple[str, ...] = ()
    #: Largest JSON body in bytes.
    max_body_bytes: int = 2 * 1024 * 1024
    #: Largest file of an upload in bytes.
    max_upload_bytes: int = 20 * 1024 * 1024
    #: Processes that sanitise and convert content, shared out among the serving ones: each has at least one.
    content_workers: int = 2
    #: Processes that convert images, shared out in the same way.
    image_workers: int = 1
    #: `debug`, `info`, `warning` or `error`.
    log_level: str = "info"
    #: One line for each request in the log.
    access_log: bool = True
    #: Seconds that requests under way get to finish when the service is stopped.
    shutdown_timeout: int = 10
    plugins: PluginSwitches = field(default_factory=PluginSwitches)
    media: MediaStorage = field(default_factory=MediaStorage)
    mail: MailServer = field(default_factory=MailServer)

    @property
    def database(self) -> str:
        """The database URL in force."""
        return self.database_url or f"sqlite:///{self.data_dir.absolute() / 'cms.sqlite3'}"


def networks(cidrs: Iterable[str]) -> tuple[IPv4Network | IPv6Network, ...]:
    """What these CIDRs name. :raises ValueError: one of them is none."""
    return tuple(map(ip_network, cidrs))


def load_config(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Config:
    """Read the file (`path`, else `CMS_CONFIG`, else `./cms.toml` where there is one) and the environment.

    :raises ConfigError: no such file, not TOML, an unknown key, or a value that it can't have.
    """
    wanted = path or (Path(environ["CMS_CONFIG"]) if environ.get("CMS_CONFIG") else None)
    file = wanted or Path("cms.toml")
    values = _read(file) if wanted or file.exists() else {}
    for name, key in ENVIRONMENT.items():
        if environ.get(name):
            _put(values, key, environ[name])
    config: Config = _build(Config, values, str(file))
    _check_values(config, str(file))
    return replace(config, path=file if file.exists() else None, base_url=config.base_url.rstrip("/"))


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{file}: there is no such file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from error


def _put(values: dict[str, Any], key: str, value: str) -> None:
    """Set a key, which in a table is written with a dot."""
    table, _, name = key.rpartition(".")
    inside = values.setdefault(table, {}) if table else values
    # What should be a table and is none is refused later, by its name.
    if isinstance(inside, dict):
        inside[name] = value


def _build(kind: type[Any], values: Mapping[str, Any], where: str) -> Any:
    hints = get_type_hints(kind)
    known = {each.name for each in fields(kind)} - {"path"}
    if unknown := sorted(values.keys() - known):
        raise ConfigError(f"{where}: unknown key {', '.join(unknown)}; known are {', '.join(sorted(known))}")
    return kind(**{key: _convert(hints[key], value, f"{where}: {key}") for key, value in values.items()})


def _check_values(config: Config, where: str) -> None:
    for key, (least, most) in BOUNDS.items():
        value = getattr(config, key)
        if value is not None and (value < least or (most is not None and value > most)):
            wanted = f"at least {least}" if most is None else f"between {least} and {most}"
            raise ConfigError(f"{where}: {key} must be {wanted}, not {value}")
    if config.log_level not in LOG_LEVELS:
        raise ConfigError(f"{where}: log_level must be one of {', '.join(LOG_LEVELS)}, not {config.log_level!r}")
    if config.base_url and not config.base_url.startswith(("http://", "https://")):
        raise ConfigError(f"{where}: base_url must begin with http:// or https://, not {config.base_url!r}")
    if not config.database.startswith(DATABASES):
        # The URL itself is not shown, for it may hold a password.
        raise ConfigError(f"{where}: database_url must be sqlite:///PATH or postgresql://...")
    if config.redis_url and not config.redis_url.startswith(REDIS):
        raise ConfigError(f"{where}: redis_url must begin with {', '.join(REDIS[:-1])} or {REDIS[-1]}")
    _check_media(config.media, where)
    _check_mail(config, where)
    try:
        networks(config.fetch_allow)
        ClientIp(config.trusted_proxies, config.forwarded_header, config.rate_limit_ipv6_prefix)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


def _check_media(media: MediaStorage, where: str) -> None:
    if media.store not in MEDIA_STORES:
        raise ConfigError(f"{where}: media.store must be one of {', '.join(MEDIA_STORES)}, not {media.store!r}")
    if media.store == "s3" and not media.bucket:
        raise ConfigError(f"{where}: media.bucket must be given where media.store is s3")
    if media.endpoint and not media.endpoint.startswith(("http://", "https://")):
        raise ConfigError(f"{where}: media.endpoint must begin with http:// or https://, not {media.endpoint!r}")


def _check_mail(config: Config, where: str) -> None:
    mail = config.mail
    if mail.security not in MAIL_SECURITY:
        raise ConfigError(f"{where}: mail.security must be one of {', '.join(MAIL_SECURITY)}, not {mail.security!r}")
    if not 1 <= mail.port <= 65_535:
        raise ConfigError(f"{where}: mail.port must be between 1 and 65535, not {mail.port}")
    if mail.user and mail.security == "none":
        raise ConfigError(f"{where}: mail.user must not be given where mail.security is none: a password would be read")
    if mail.host and "@" not in mail.sender:
        raise ConfigError(f"{where}: mail.sender must be an address where mail.host is given")
    if mail.host and not config.base_url:
        raise ConfigError(f"{where}: base_url must be given where mail.host is, for links in mails begin with it")


def _convert(hint: Any, value: Any, where: str) -> Any:
    if hint in _TABLES and isinstance(value, dict):
        return _build(hint, value, where)
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if Path in kinds and isinstance(value, str):
        return Path(value)
    if tuple[str, ...] in kinds and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    if type(value) in kinds:
        return value
    raise ConfigError(f"{where} must be {' or '.join(_NAMES.get(kind, str(kind)) for kind in kinds)}, not {value!r}")


#: Types of what stands in tables of its own.
_TABLES = (PluginSwitches, MediaStorage, MailServer)
#: What TOML calls the types of the values.
_NAMES: Mapping[Any, str] = {
    str: "a string",
    Path: "a string",
    int: "an integer",
    bool: "true or false",
    type(None): "left out",
    tuple[str, ...]: "an array of strings",
    **dict.fromkeys(_TABLES, "a table"),
}
