"""Source model: modules, ports, hierarchy and file order of a set of RTL files."""

from .api import parse_files, parse_text
from .model import Instance, ModuleInfo, SourceModel
from .names import written_name
from .source import effective_language, read_source

__all__ = [
    "Instance",
    "ModuleInfo",
    "SourceModel",
    "effective_language",
    "parse_files",
    "parse_text",
    "read_source",
    "written_name",
]
