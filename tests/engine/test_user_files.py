"""Files that users hand in: one way to read them, and names that hold the contents."""

from __future__ import annotations

import copy
import json
import os
import pickle
from pathlib import Path

import pytest

from bdgame_env.engine.user_files import KeptFile, NotRead, is_file, keep, read_text, text_of

pytestmark = pytest.mark.plain

TEXTS = {
    "plain": b"a = 1\nb = 2\n",
    "with a byte order mark": b"\xef\xbb\xbfa = 1\nb = 2\n",
    "with ends of line of Windows": b"a = 1\r\nb = 2\r\n",
    "with both": b"\xef\xbb\xbfa = 1\r\nb = 2\r\n",
}


@pytest.mark.parametrize("data", TEXTS.values(), ids=TEXTS)
def test_a_text_is_the_same_whatever_wrote_it(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "text").write_bytes(data)
    assert text_of(data) == read_text(tmp_path / "text") == read_text(str(tmp_path / "text")) == "a = 1\nb = 2\n"


def test_what_cannot_be_read_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    (tmp_path / "large").write_bytes(b"x" * 11)
    cases = [
        ("gone", "cannot be read: No such file"),
        (".", "no ordinary file"),
        ("latin", "not UTF-8 text from byte 3 on"),
        ("large", "too large: at most 10 bytes"),
        ("a\0b", "cannot be read"),
        ("x" * 5000, "cannot be read"),
    ]
    for name, reason in cases:
        with pytest.raises(NotRead, match=reason) as refused:
            read_text(tmp_path / name, most=10)
        assert "\n" not in str(refused.value), name
        assert is_file(str(tmp_path / name)) == (name in ("latin", "large")), name


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
def test_a_device_that_never_ends_is_not_read() -> None:
    with pytest.raises(NotRead, match="no ordinary file"):
        keep("/dev/zero")


def test_a_kept_file_outlives_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the text of the path, in copies too; another content under the same name is another file."""
    (tmp_path / "cards").write_bytes(b"one")
    monkeypatch.chdir(tmp_path)
    kept = keep(Path("cards"))
    (tmp_path / "cards").write_bytes(b"other")
    other = keep("cards")
    (tmp_path / "cards").unlink()
    for twin in (kept, copy.copy(kept), copy.deepcopy(kept), pickle.loads(pickle.dumps(kept)), keep(kept)):
        assert isinstance(twin, KeptFile) and twin.data == b"one" and hash(twin) == hash(kept)
        assert (
            twin == kept == "cards" and twin != other and json.dumps(twin) == '"cards"' and os.fspath(twin) == "cards"
        )
