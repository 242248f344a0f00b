"""Deploy-time configuration: the file, the environment over it, and what is wrong with either."""

import re
from pathlib import Path

import pytest

from cms_host.config import Config, ConfigError, MailServer, MediaStorage, PluginSwitches, load_config


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cms.toml"


def written(file: Path, text: str) -> Config:
    file.write_text(text, "utf-8")
    return load_config(file, {})


def test_without_a_file_everything_has_its_default(file: Path) -> None:
    config = load_config(None, {})

    assert config == Config()
    assert config.database == f"sqlite:///{file.parent}/data/cms.sqlite3"


def test_the_file_is_read(file: Path) -> None:
    config = written(
        file,
        """
        port = 8080
        data_dir = "/srv/cms"
        base_url = "https://example.org/"
        access_log = false
        jobs = false
        api_rate_limit = 0
        trusted_proxies = ["loopback", "10.0.0.0/8"]
        [plugins]
        disabled = ["trends"]
        """,
    )

    assert (config.path, config.port, config.data_dir) == (file, 8080, Path("/srv/cms"))
    assert (config.base_url, config.access_log, config.api_rate_limit) == ("https://example.org", False, 0)
    assert not config.jobs
    assert config.trusted_proxies == ("loopback", "10.0.0.0/8")
    assert config.plugins == PluginSwitches(disabled=("trends",))
    assert config.database == "sqlite:////srv/cms/cms.sqlite3"


def test_uploads_are_kept_where_the_file_says(file: Path) -> None:
    assert written(file, "").media == MediaStorage(store="local")
    config = written(
        file,
        '[media]\nstore = "s3"\nendpoint = "https://s3.example"\nbucket = "uploads"\nprefix = "one"\nregion = "eu-1"',
    )

    assert config.media == MediaStorage("s3", "https://s3.example", "uploads", "one", "eu-1")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[media]\nstore = "ftp"', "media.store must be one of local, s3, not 'ftp'"),
        ('[media]\nstore = "s3"', "media.bucket must be given where media.store is s3"),
        ('[media]\nendpoint = "s3.example"', "media.endpoint must begin with http:// or https://, not 's3.example'"),
        ('[media]\nsecret = "x"', "media: unknown key secret; known are bucket, endpoint, prefix, region, store"),
        ('media = "s3"', "media must be a table, not 's3'"),
    ],
)
def test_a_store_of_uploads_that_can_not_be_is_refused(file: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(told)):
        written(file, text)


MAIL = 'base_url = "https://example.org"\n[mail]\nhost = "smtp.example.org"\nsender = "site@example.org"\n'


def test_mail_goes_where_the_file_says_and_its_password_may_be_in_the_environment(file: Path) -> None:
    assert written(file, "").mail == MailServer()
    config = written(file, MAIL + 'port = 465\nsecurity = "tls"\nuser = "site"\npassword = "in the file"')
    assert config.mail == MailServer("smtp.example.org", 465, "site", "in the file", "tls", "site@example.org")

    config = load_config(file, {"CMS_MAIL_PASSWORD": "in the environment"})
    assert config.mail.password == "in the environment"
    assert "in the" not in repr(config)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[mail]\nsecurity = "ssl"', "mail.security must be one of starttls, tls, none, not 'ssl'"),
        ("[mail]\nport = 0", "mail.port must be between 1 and 65535, not 0"),
        ('[mail]\nhost = "smtp.example.org"', "mail.sender must be an address where mail.host is given"),
        ('[mail]\nhost = "smtp.example.org"\nsender = "a@b.c"', "base_url must be given where mail.host is"),
        (MAIL + 'security = "none"\nuser = "site"', "mail.user must not be given where mail.security is none"),
        ('mail = "smtp"', "mail must be a table, not 'smtp'"),
    ],
)
def test_a_mail_server_that_can_not_be_is_refused(file: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(told)):
        written(file, text)


def test_an_exact_list_of_plugins(file: Path) -> None:
    config = written(file, '[plugins]\nenabled = ["posts"]')

    assert config.plugins.is_on("posts")
    assert not config.plugins.is_on("users")


def test_the_file_is_found_by_argument_by_environment_or_by_its_name(file: Path) -> None:
    other, third = file.with_name("other.toml"), file.with_name("third.toml")
    file.write_text("port = 1")
    other.write_text("port = 2")
    third.write_text("port = 3")

    assert load_config(None, {}).port == 1
    assert load_config(None, {"CMS_CONFIG": str(other)}).port == 2
    assert load_config(third, {"CMS_CONFIG": str(other)}).port == 3


def test_the_environment_wins(file: Path) -> None:
    file.write_text('database_url = "sqlite:///file"\ndata_dir = "file"\nbase_url = "http://file"')
    environ = {
        "CMS_DATABASE_URL": "postgresql://environ/cms",
        "CMS_DATA_DIR": "/environ",
        "CMS_BASE_URL": "http://environ/",
        "CMS_REDIS_URL": "redis://environ",
    }
    config = load_config(None, environ)

    assert (config.database, config.data_dir) == ("postgresql://environ/cms", Path("/environ"))
    assert (config.base_url, config.redis_url) == ("http://environ", "redis://environ")


def test_an_empty_variable_counts_as_unset(file: Path) -> None:
    file.write_text('data_dir = "file"')

    assert load_config(None, {"CMS_DATA_DIR": "", "CMS_CONFIG": ""}).data_dir == Path("file")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("prot = 8000", "prot"),
        ("path = 'x'", "path"),
        ("[plugins]\ndisable = []", "disable"),
        ("[limits]\nx = 1", "limits"),
    ],
)
def test_an_unknown_key_is_named(file: Path, text: str, name: str) -> None:
    with pytest.raises(ConfigError, match=rf"cms\.toml.*unknown key {name}"):
        written(file, text)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("port", '"8000"'), ("port", "8000.0"), ("port", "true"), ("port", "[]"),
        ("host", "1"), ("host", '["a"]'),
        ("access_log", "1"), ("access_log", '"yes"'),
        ("data_dir", "1"), ("data_dir", '["a"]'),
        ("api_rate_limit", '"100"'),
        ("trusted_proxies", '"loopback"'), ("trusted_proxies", "[1]"),
        ("plugins", '"posts"'), ("plugins", '["posts"]'),
        ("plugins.disabled", '"posts"'), ("plugins.enabled", "true"),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_type_is_named(file: Path, key: str, value: str) -> None:
    with pytest.raises(ConfigError, match=rf"cms\.toml.*{key.rpartition('.')[2]} must be"):
        written(file, f"{key} = {value}")


@pytest.mark.parametrize(("key", "begins"), [("redis_url", "unix://"), ("database_url", "postgresql://...")])
def test_an_address_that_can_not_be_is_not_shown(file: Path, key: str, begins: str) -> None:
    with pytest.raises(ConfigError, match=rf"{key} must be.*{re.escape(begins)}$"):
        written(file, f'{key} = "http://:geheim@example.org"')


@pytest.mark.parametrize("content", [b"port = ", b"\xff", b"port = 1\nport = 2"])
def test_a_file_that_is_no_toml_is_named(file: Path, content: bytes) -> None:
    file.write_bytes(content)

    with pytest.raises(ConfigError, match=r"cms\.toml"):
        load_config(file, {})


def test_a_file_that_is_not_there_is_named_when_it_was_asked_for(file: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        load_config(file, {})
    with pytest.raises(ConfigError, match="there is no such file"):
        load_config(None, {"CMS_CONFIG": str(file)})
