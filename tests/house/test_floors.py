"""Who may import whom: the host no plugin, a plugin the host's facade and those of neighbours below that it lists."""

from .tree import HOST, ROOT, Import, Member, host_sources, imports, members

#: Endpoints that others build on. What is not named here is on the top floor, and nobody imports it. Accounts lie
#: lowest, for whoever keeps what belongs to them says so by `cms_users.api.Ownership`.
FLOORS = {
    "users": 1, "media": 2, "categories": 2, "tags": 2, "settings": 2, "stats": 2, "search": 2, "sitemap": 2,
    "health": 2, "posts": 3, "content_queue": 4,
}  # fmt: skip
TOP = 5
#: Inside a plugin; what is not named here may be used on every step.
STEPS = ("tables", "store", "records", "service", "handlers", "plugin")
#: Only what is on no step.
LEAVES = ("schemas", "api")


def floor(member: Member) -> int:
    return FLOORS.get(member.name, TOP) if member.kind == "endpoint" else TOP


def neighbours(member: Member) -> dict[str, Member]:
    return {other.package: other for other in members() if other is not member}


def of_neighbours(member: Member, found: Import) -> Member | None:
    return neighbours(member).get(found.module.partition(".")[0])


def test_the_host_never_imports_a_plugin() -> None:
    packages = {member.package for member in members()}

    assert packages
    assert [
        found for path in host_sources() for found in imports(path) if found.module.partition(".")[0] in packages
    ] == []


def test_a_plugin_names_only_the_facade_of_the_host() -> None:
    wrong = [
        found
        for member in members()
        for path in member.sources
        for found in imports(path)
        if found.module.partition(".")[0] == HOST.name and found.module != "cms_host.api"
    ]

    assert wrong == []


def test_a_plugin_s_tests_name_only_the_facade_and_the_test_kit() -> None:
    wrong = [
        found
        for member in members()
        for path in member.tests
        for found in imports(path)
        if found.module.partition(".")[0] == HOST.name and found.module not in ("cms_host.api", "cms_host.testing")
    ]

    assert wrong == []


def test_a_neighbour_is_named_only_by_its_facade() -> None:
    wrong = [
        found
        for member in members()
        for path in member.sources
        for found in imports(path)
        if (other := of_neighbours(member, found)) and found.module != f"{other.package}.api"
    ]

    assert wrong == []


def test_a_neighbour_is_named_only_when_the_project_file_lists_it() -> None:
    wrong = [
        found
        for member in members()
        for path in [*member.sources, *member.tests]
        for found in imports(path)
        if (other := of_neighbours(member, found)) and other.package not in member.needs
    ]

    assert wrong == []


def test_imports_go_down_a_floor() -> None:
    wrong = [
        found
        for member in members()
        for path in member.sources
        for found in imports(path)
        if (other := of_neighbours(member, found)) and floor(other) >= floor(member)
    ]

    assert wrong == []


def test_requirements_go_down_a_floor() -> None:
    wrong = [
        (member.name, other.name)
        for member in members()
        for other in neighbours(member).values()
        if other.package in member.needs and floor(other) >= floor(member)
    ]

    assert wrong == []


def test_inside_a_plugin_imports_go_down_a_step() -> None:
    wrong = []
    for member in members():
        for path in member.sources:
            for found in imports(path):
                top, _, inner = found.module.partition(".")
                if top == member.package and not may_use(path.stem, inner):
                    wrong.append(found)

    assert wrong == []


def may_use(user: str, used: str) -> bool:
    """Whether a module of a plugin may import another one, by their names."""
    if used not in STEPS:
        return True
    if user in LEAVES:
        return False
    if user in STEPS:
        return STEPS.index(used) < STEPS.index(user)
    return used != "plugin"


def test_migrations_import_nothing_of_their_plugin() -> None:
    wrong = [
        found
        for path in ROOT.glob("plugins/**/migrations/*.py")
        for found in imports(path)
        if found.module.startswith("cms_") and found.module != "cms_host.api"
    ]

    assert wrong == []
