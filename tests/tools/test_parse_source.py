"""Reading source files: what is cleaned, and what is refused with a remedy."""

import pytest
from rtl_agent.tools.errors import SourceUnreadable
from rtl_agent.tools.parse import parse_files, parse_text, read_source, written_name

MODULE = "module bom(input a, output y);  // µs\n  assign y = a;\nendmodule\n"


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + MODULE.encode(),
        MODULE.replace("\n", "\r\n").encode(),
        MODULE.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + MODULE.replace("\n", "\r\n").encode(),
        MODULE.encode(),
    ],
    ids=["bom", "crlf", "cr", "bom-crlf", "plain"],
)
def test_marks_and_line_ends_do_not_matter(tmp_path, data):
    path = tmp_path / "bom.v"
    path.write_bytes(data)
    assert read_source(path) == MODULE
    model = parse_files([path])
    assert model.ok
    assert [m.name for m in model.tops] == ["bom"]
    assert model.modules[0].line == 1


def test_latin_1_is_refused_with_place_and_remedy(tmp_path):
    path = tmp_path / "latin.v"
    path.write_bytes(b"// first\nmodule m; // \xb5s\nendmodule\n")
    with pytest.raises(SourceUnreadable) as caught:
        read_source(path)
    assert "latin.v:2" in caught.value.message
    assert "iconv" in caught.value.remedy


def test_binary_and_utf16_are_refused(tmp_path):
    path = tmp_path / "wide.v"
    path.write_bytes(MODULE.encode("utf-16"))
    with pytest.raises(SourceUnreadable, match="not text"):
        read_source(path)


def test_missing_file_and_folder_are_refused(tmp_path):
    with pytest.raises(SourceUnreadable, match="no such file"):
        parse_files([tmp_path / "no.v"])
    with pytest.raises(SourceUnreadable, match="folder"):
        parse_files([tmp_path])


def test_a_device_is_not_read(tmp_path):
    link = tmp_path / "endless.v"
    link.symlink_to("/dev/zero")
    with pytest.raises(SourceUnreadable, match="not a regular file"):
        read_source(link)


def test_empty_text_is_no_module():
    model = parse_text("")
    assert model.modules == ()
    assert not model.truncated


@pytest.mark.parametrize(
    ("name", "written"),
    [("q", "q"), ("a[1]", "\\a[1] "), ("top.level[0]", "\\top.level[0] "), ("1st", "\\1st ")],
)
def test_names_are_escaped_where_the_language_wants_it(name, written):
    assert written_name(name) == written
