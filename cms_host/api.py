"""The facade: everything that a plugin may import from the host, and nothing else."""

from cms_host.answers import GateRefusal, LocalTime, Record
from cms_host.ascii_address import ascii_address
from cms_host.body import read_raw
from cms_host.clock import Clock
from cms_host.commands import CommandError, print_table, site_command
from cms_host.config import MailServer, MediaStorage
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
    InternalError,
    NotFound,
    NotYours,
    Refused,
    TooLarge,
    Unauthorized,
    Unprocessable,
    UnsupportedMediaType,
)  # fmt: skip
from cms_host.events.event import Event, emit
from cms_host.events.operating import LaneState, Logged, Outbox
from cms_host.events.outbox import Occurrence
from cms_host.events.sink import Delivery, EventSink, Result, RoutingSink
from cms_host.fetch import Fetcher, Received, Unreachable, checked
from cms_host.finding import Hit, Rank, Ranking, SearchSource, SitemapEntry, SitemapPart, SitemapSource, Sought
from cms_host.folding import fold
from cms_host.gate import AskingRule, Candidate, Finding, Gate, GateRule, PreparingRule, Report, Verdict
from cms_host.health import HealthCheck
from cms_host.hookspecs import HOOKSPEC_VERSION, hookimpl
from cms_host.host import Host
from cms_host.idempotency import REPLAYED, Scope, alone, attempt_of, first_answer
from cms_host.indexes import StoredIndex
from cms_host.jobs import Job
from cms_host.listening import bind
from cms_host.moments import DAY, iso, local, parse_moment
from cms_host.multipart import Form, form
from cms_host.observing import PostChange, PostObserver
from cms_host.one_line import one_line
from cms_host.paging import PageQuery, PageRecord, Paging, paging
from cms_host.plain import plain_text
from cms_host.post_index.banded import BandedIndex
from cms_host.post_index.listed import ListedIndex, rival_values, rivals
from cms_host.post_index.minhash import Shape, resemblance, signature
from cms_host.post_index.shingles import Sketch, overlaps, sketch
from cms_host.post_index.upkeep import IndexUpkeep
from cms_host.principal import Authenticator, Principal, Recognised, Role
from cms_host.receiving import ReceivedFile, Receiving, receiving
from cms_host.requests import body, client_address, json_object, path_id, query, submitted
from cms_host.routing import Page, Route
from cms_host.schema import (
    Choice,
    Ids,
    Moment,
    Number,
    Schema,
    SentIds,
    Several,
    Text,
    Texts,
    Whole,
    load,
    unacceptable,
)
from cms_host.schema import Flag as FlagField
from cms_host.services import MissingService, UnitOfWork, unit_of
from cms_host.settings import InvalidSetting, Setting, Settings, WrongType, settings_version
from cms_host.slugs import slug_candidates, slug_of
from cms_host.stats import Figures, StatSource
from cms_host.streaming import stream
from cms_host.terms import MOST_TERMS, WORD, Terms, begun_word, parse_terms
from cms_host.workers import TooComplex, Workers

__all__ = [
    "DAY",
    "DEFAULT_PER_PAGE",
    "HOOKSPEC_VERSION",
    "MOST_TERMS",
    "REPLAYED",
    "WORD",
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
    "Delivery",
    "Enrolment",
    "Event",
    "EventSink",
    "Fetcher",
    "FieldError",
    "FieldErrors",
    "Figures",
    "Finding",
    "Flag",
    "FlagField",
    "Forbidden",
    "Form",
    "Gate",
    "GateRefusal",
    "GateRule",
    "HealthCheck",
    "Hit",
    "Host",
    "Id",
    "Ids",
    "IndexUpkeep",
    "Instant",
    "InsufficientRole",
    "InternalError",
    "InvalidSetting",
    "Job",
    "Json",
    "LaneState",
    "ListedIndex",
    "LocalTime",
    "Logged",
    "MailServer",
    "MediaStorage",
    "MissingService",
    "Moment",
    "NotFound",
    "NotYours",
    "Number",
    "Occurrence",
    "Outbox",
    "Page",
    "PageQuery",
    "PageRecord",
    "Paging",
    "PostChange",
    "PostObserver",
    "PreparingRule",
    "Principal",
    "Query",
    "Rank",
    "Ranking",
    "Reader",
    "Received",
    "ReceivedFile",
    "Receiving",
    "Recognised",
    "Record",
    "Refused",
    "Report",
    "Result",
    "Role",
    "Route",
    "RoutingSink",
    "Schema",
    "Scope",
    "SearchSource",
    "SentIds",
    "Setting",
    "Settings",
    "Several",
    "Shape",
    "SitemapEntry",
    "SitemapPart",
    "SitemapSource",
    "Sketch",
    "Sought",
    "StatSource",
    "StoredIndex",
    "Terms",
    "Text",
    "Texts",
    "TooComplex",
    "TooLarge",
    "Transaction",
    "Unauthorized",
    "UnitOfWork",
    "Unprocessable",
    "Unreachable",
    "UnsupportedMediaType",
    "Verdict",
    "Whole",
    "Workers",
    "WrongType",
    "alone",
    "ascii_address",
    "attempt_of",
    "begun_word",
    "bind",
    "body",
    "checked",
    "client_address",
    "containing",
    "emit",
    "first_answer",
    "fold",
    "form",
    "hookimpl",
    "insert",
    "iso",
    "json_object",
    "like_all",
    "load",
    "local",
    "new_metadata",
    "ok",
    "one_line",
    "one_of",
    "overlaps",
    "page",
    "paging",
    "parse_moment",
    "parse_terms",
    "path_id",
    "plain_text",
    "print_table",
    "query",
    "read_raw",
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
    "stream",
    "submitted",
    "unacceptable",
    "unit_of",
]  # fmt: skip
