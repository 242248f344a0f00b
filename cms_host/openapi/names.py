"""Names in the document: as short as they can be without two things sharing one."""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from apispec.ext.marshmallow.common import make_schema_key, resolve_schema_instance
from marshmallow import Schema

from cms_host.routing import Route

#: A route, and one of its methods in lower case.
Operation = tuple[Route, str]


class SchemaNames:
    """Names the schemas: each by its class, with its module in front where another plugin's class has the name too.

    Which names are shared is only known when all schemas were seen; `shared` says so, and is what another round
    is told. The host's own classes keep their names.
    """

    def __init__(self, shared: frozenset[str] = frozenset()) -> None:
        self.shared = shared
        self._keys: dict[str, tuple[Any, ...]] = {}

    def __call__(self, schema: Any) -> str:
        key = make_schema_key(resolve_schema_instance(schema))
        base = name = self._base(key[0])
        number = 1
        # The same class may come with fewer fields or as partial: those are numbered.
        while self._keys.setdefault(name, key) != key:
            if self._keys[name][0] is not key[0]:
                self.shared |= {key[0].__name__}
            number += 1
            name = f"{base}{number}"
        return name

    def descriptions(self) -> dict[str, str]:
        """The docstring of each named class that has one of its own."""
        return {name: text for name, key in self._keys.items() if (text := inspect.cleandoc(key[0].__doc__ or ""))}

    def alternatives(self) -> dict[str, list[dict[str, Any]]]:
        """What a body must have one of, for each named class that says so."""
        found = {name: getattr(key[0], "alternatives", ()) for name, key in self._keys.items()}
        return {name: [{"required": [*fields]} for fields in sets] for name, sets in found.items() if sets}

    def _base(self, cls: type[Schema]) -> str:
        if cls.__name__ not in self.shared or cls.__module__.startswith("cms_host."):
            return cls.__name__
        return re.sub(r"[^A-Za-z0-9._-]+", "_", f"{cls.__module__}.{cls.__qualname__}")


def operation_ids(operations: Sequence[Operation]) -> list[str]:
    """An id for each operation: the first of these spellings that no other operation has."""
    spellings: list[Callable[[Route, str], str]] = [
        lambda route, _: _function(route),
        lambda route, method: f"{_function(route)}_{method}",
        lambda route, _: f"{_package(route)}_{_function(route)}",
        lambda route, method: f"{_package(route)}_{_function(route)}_{method}",
        lambda route, method: re.sub(r"\W+", "_", f"{_package(route)}_{_function(route)}_{method}{route.path}"),
    ]
    spelt = [[spell(*operation) for spell in spellings] for operation in operations]
    seen = Counter(name for names in spelt for name in set(names))
    return [next((name for name in names if seen[name] == 1), names[-1]) for names in spelt]


def _function(route: Route) -> str:
    return getattr(route.handler, "__name__", type(route.handler).__name__)


def _package(route: Route) -> str:
    return getattr(route.handler, "__module__", "").partition(".")[0]
