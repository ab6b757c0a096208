"""A folder in pieces small enough to carry to a machine that reaches nothing, and back together.

    python benchmarks/gpu/pieces.py pack FOLDER TO       compressed pieces of at most 55 MB
    python benchmarks/gpu/pieces.py join TO FOLDER       checks every hash on the way

The base of the embedded default gives two or three pieces: its weights are four-bit numbers spread
over 16 bits, so that they compress well.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import sys
import tarfile
from pathlib import Path

__all__ = ["join", "pack"]

PIECE = 55_000_000
_LIST = "pieces.json"


def pack(folder: Path, to: Path, *, piece: int = PIECE) -> list[Path]:
    """Compress `folder` into pieces of at most `piece` bytes in `to`, with a list of hashes."""
    to.mkdir(parents=True, exist_ok=True)
    whole = to / "whole.tmp"
    with lzma.open(whole, "wb", preset=1) as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
        for path in sorted(folder.iterdir()):
            tar.add(path.resolve(), arcname=path.name)
    made: list[Path] = []
    hashes: dict[str, str] = {}
    with whole.open("rb") as data:
        while part := data.read(piece):
            made.append(to / f"part-{len(made):02}.xz")
            made[-1].write_bytes(part)
            hashes[made[-1].name] = hashlib.sha256(part).hexdigest()
    whole.unlink()
    (to / _LIST).write_text(json.dumps(hashes, indent=1) + "\n", encoding="utf-8")
    return made


def join(source: Path, folder: Path) -> None:
    """Put pieces together again in `folder`.

    Raises:
        SystemExit: a piece is missing or is not what was packed.
    """
    try:
        hashes = json.loads((source / _LIST).read_text(encoding="utf-8"))
    except OSError as error:
        raise SystemExit(f"{source / _LIST}: {error.strerror}; pack the base first") from error
    whole = source / "whole.tmp"
    with whole.open("wb") as out:
        for name, wanted in sorted(hashes.items()):
            path = source / name
            data = path.read_bytes() if path.is_file() else b""
            if hashlib.sha256(data).hexdigest() != wanted:
                raise SystemExit(f"{path}: missing or damaged; carry it over again")
            out.write(data)
    folder.mkdir(parents=True, exist_ok=True)
    with lzma.open(whole) as packed, tarfile.open(fileobj=packed, mode="r|") as tar:
        tar.extractall(folder, filter="data")
    whole.unlink()


def main() -> None:
    """Parse arguments."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["pack", "join"])
    parser.add_argument("source", type=Path)
    parser.add_argument("to", type=Path)
    args = parser.parse_args()
    if args.what == "join":
        join(args.source, args.to)
        return
    for path in pack(args.source, args.to):
        sys.stdout.write(f"{path}: {path.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
