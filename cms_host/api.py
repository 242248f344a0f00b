"""The facade: everything that a plugin may import from the host, and nothing else."""

from cms_host.answers import GateRefusal, LocalTime, Record
from cms_host.clock import Clock
from cms_host.commands import CommandError, print_table, site_command
from cms_host.config import MediaStorage
from cms_host.db import (
    Ascii,
    Asked,
    Database,
    Flag,
    Id,
    Instant,
    Json,
    Query,
    Reader,
    Transaction,
    containing,
    insert,
    like_all,
    new_metadata,
    one_of,
)
from cms_host.enrolment import Enrolment
from cms_host.envelope import DEFAULT_PER_PAGE, ok, page
from cms_host.errors import (
    ApiError,
    BadRequest,
    Busy,
    Conflict,
    FieldError,
    FieldErrors,
    Forbidden,
    InsufficientRole,
    NotFound,
    NotYours,
    Refused,
    TooLarge,
    Unauthorized,
    Unprocessable,
    UnsupportedMediaType,
)  # fmt: skip
from cms_host.folding import fold
from cms_host.gate import AskingRule, Candidate, Finding, Gate, GateRule, PreparingRule, Report, Verdict
from cms_host.health import HealthCheck
from cms_host.hookspecs import HOOKSPEC_VERSION, hookimpl
from cms_host.host import Host
from cms_host.indexes import StoredIndex
from cms_host.jobs import Job
from cms_host.moments import iso, local, parse_moment
from cms_host.multipart import Form, form
from cms_host.observing import PostChange, PostObserver
from cms_host.paging import PageQuery, PageRecord, Paging, paging
from cms_host.plain import plain_text
from cms_host.post_index.banded import BandedIndex
from cms_host.post_index.listed import ListedIndex, rival_values, rivals
from cms_host.post_index.minhash import Shape, resemblance, signature
from cms_host.post_index.shingles import Sketch, overlaps, sketch
from cms_host.post_index.upkeep import IndexUpkeep
from cms_host.principal import Authenticator, Principal, Recognised, Role
from cms_host.receiving import ReceivedFile, Receiving, receiving
from cms_host.requests import body, json_object, path_id, query
from cms_host.routing import Page, Route
from cms_host.schema import Choice, Ids, Moment, Number, Schema, SentIds, Several, Text, Texts, Whole, unacceptable
from cms_host.schema import Flag as FlagField
from cms_host.services import MissingService, UnitOfWork, unit_of
from cms_host.settings import InvalidSetting, Setting, Settings, WrongType, settings_version
from cms_host.slugs import slug_candidates, slug_of
from cms_host.workers import TooComplex, Workers

__all__ = [
    "DEFAULT_PER_PAGE",
    "HOOKSPEC_VERSION",
    "ApiError",
    "Ascii",
    "Asked",
    "AskingRule",
    "Authenticator",
    "BadRequest",
    "BandedIndex",
    "Busy",
    "Candidate",
    "Choice",
    "Clock",
    "CommandError",
    "Conflict",
    "Database",
    "Enrolment",
    "FieldError",
    "FieldErrors",
    "Finding",
    "Flag",
    "FlagField",
    "Forbidden",
    "Form",
    "Gate",
    "GateRefusal",
    "GateRule",
    "HealthCheck",
    "Host",
    "Id",
    "Ids",
    "IndexUpkeep",
    "Instant",
    "InsufficientRole",
    "InvalidSetting",
    "Job",
    "Json",
    "ListedIndex",
    "LocalTime",
    "MediaStorage",
    "MissingService",
    "Moment",
    "NotFound",
    "NotYours",
    "Number",
    "Page",
    "PageQuery",
    "PageRecord",
    "Paging",
    "PostChange",
    "PostObserver",
    "PreparingRule",
    "Principal",
    "Query",
    "Reader",
    "ReceivedFile",
    "Receiving",
    "Recognised",
    "Record",
    "Refused",
    "Report",
    "Role",
    "Route",
    "Schema",
    "SentIds",
    "Setting",
    "Settings",
    "Several",
    "Shape",
    "Sketch",
    "StoredIndex",
    "Text",
    "Texts",
    "TooComplex",
    "TooLarge",
    "Transaction",
    "Unauthorized",
    "UnitOfWork",
    "Unprocessable",
    "UnsupportedMediaType",
    "Verdict",
    "Whole",
    "Workers",
    "WrongType",
    "body",
    "containing",
    "fold",
    "form",
    "hookimpl",
    "insert",
    "iso",
    "json_object",
    "like_all",
    "local",
    "new_metadata",
    "ok",
    "one_of",
    "overlaps",
    "page",
    "paging",
    "parse_moment",
    "path_id",
    "plain_text",
    "print_table",
    "query",
    "receiving",
    "resemblance",
    "rival_values",
    "rivals",
    "settings_version",
    "signature",
    "site_command",
    "sketch",
    "slug_candidates",
    "slug_of",
    "unacceptable",
    "unit_of",
]  # fmt: skip
