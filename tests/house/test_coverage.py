"""Every rule has a test, every claim has a rule."""

from pathlib import Path

import pytest

from cms_host.api import Host
from cms_host.app import make_host
from cms_host.config import Config
from docs.coverage import ROOT, Row, Unreadable, chapters, claims, shown, test_files
