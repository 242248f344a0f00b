"""Settings as clients see them."""

from typing import Any

from cms_host.api import Setting

#: Stands for the value of a secret: shown instead of it, and taken as "leave it as it is".
MASK = "********"


def setting_record(setting: Setting[Any], value: Any, plugin: str) -> dict[str, Any]:
    return {
        "key": setting.key,
        "value": MASK if setting.secret else value,
        "default": setting.default,
        "type": setting.type,
        "description": setting.description,
        "plugin": plugin,
    }
