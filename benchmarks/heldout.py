"""How often the embedded default writes a right design for specs it has not seen.

Draws fresh designs of the corpus families (parameters, names and wordings by a seed that training
never used), asks for each once greedily and `--samples` times at a temperature, and simulates
every answer against the family's Python reference. Retrieval is from the shipped library.

`--families unseen` asks for the families kept for measuring, from which neither the shipped adapter
nor the shipped library was made; a library that has them is searched without them.

With `--repairs` one fault is put into each design, and the model gets one greedy answer to mend it,
with the diagnosis the loop would write.

    python benchmarks/heldout.py --designs 60 --samples 4 --out benchmarks/results/heldout.json
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.corpus.dataset import design_record
from rtl_agent.agent.corpus.held_out import families_of, is_held_out
from rtl_agent.agent.corpus.pairs import spec_of
from rtl_agent.agent.corpus.pipeline import without_unseen
from rtl_agent.agent.corpus.repairs import repair_pair
from rtl_agent.agent.corpus.validate import run_bench
from rtl_agent.agent.library.index import open_library
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.decoding.api import SamplingParams
from rtl_agent.decoding.training.corpus.bench import vector_bench
from rtl_agent.decoding.training.corpus.registry import all_families

if TYPE_CHECKING:
    from rtl_agent.agent.library.index import Library
    from rtl_agent.decoding.api import Generator
    from rtl_agent.decoding.training.corpus.design import Design


@dataclass
class Tally:
    """Counts over all designs asked for."""

    designs: int = 0
    compiled: int = 0
    passed: int = 0
    any_passed: int = 0
    repairs: int = 0
    repaired: int = 0
    right_family: int = 0
    tokens: int = 0
    seconds: float = 0.0
    rows: list[dict[str, Any]] = field(default_factory=list)


def draw(families: list[str], count: int, seed: int) -> list[tuple[Design, dict[str, Any]]]:
    """`count` designs, families in turn, with one held-out wording each."""
    out: list[tuple[Design, dict[str, Any]]] = []
    index = 0
    while len(out) < count:
        name = families[index % len(families)]
        key = f"{seed}:eval:{index}"
        design = all_families()[name](random.Random(f"{name}:{key}"))
        index += 1
        if not is_held_out(design.family, design.params):
            out.append((design, design_record(design, seed=key, wordings=1, split="held-out")))
    return out


def mended(
    design: Design,
    record: dict[str, Any],
    library: Library,
    generator: Generator,
    args: argparse.Namespace,
) -> bool | None:
    """Whether one greedy answer mends a fault put into `design`; None where none would show."""
    seed = args.seed
    text = record["specs"][0]
    spec = spec_of(record, text)
    rng = random.Random(f"{seed}:{record['id']}")
    pair = repair_pair(design, record, text, library, rng, diagnosed=not args.no_diagnosis)
    if pair is None:
        return None
    style = EmbeddedStyle()
    params = SamplingParams(max_new_tokens=420)
    answer = generator.generate(pair.prompt, params=params, hints=(pair.prompt,))[0]
    rtl = style.source(spec, style.draft(spec, ()), answer.text)
    return run_bench(rtl, vector_bench(design, 200, seed)).passed


def measure(args: argparse.Namespace) -> Tally:
    """Ask for every design and judge every answer."""
    from rtl_agent.decoding.models.assemble import assemble
    from rtl_agent.decoding.models.embedded import load_embedded
    from rtl_agent.decoding.models.load import load_generator
    from rtl_agent.decoding.models.options import Speculation
    from rtl_agent.decoding.models.pack import pack

    if args.adapter:
        model, tokenizer, table = load_embedded(Path(args.adapter))
        generator = assemble("embedded", model, tokenizer, Speculation(), table=table)
        pack(model)
    else:
        generator = load_generator("embedded")
    library, style, tally = open_library(), EmbeddedStyle(), Tally()
    families = families_of(sorted(all_families()), args.families)
    if args.families == "unseen":
        library = without_unseen(library)
    random.Random(args.seed).shuffle(families)
    for design, record in draw(families, args.designs, args.seed):
        spec = spec_of(record, record["specs"][0])
        hits = library.nearest(spec, 1)
        prompt = style.draft(spec, hits)
        bench = vector_bench(design, 200, args.seed)
        started = time.monotonic()
        answers = generator.generate(
            prompt.raw, params=SamplingParams(max_new_tokens=420), hints=prompt.hints
        )
        if args.samples:
            params = SamplingParams(
                max_new_tokens=420, temperature=args.temperature, top_p=0.95, seed=args.seed
            )
            answers += generator.generate(
                prompt.raw, n=args.samples, params=params, hints=prompt.hints
            )
        tally.seconds += time.monotonic() - started
        runs = [run_bench(style.source(spec, prompt, a.text), bench) for a in answers]
        tally.designs += 1
        tally.compiled += runs[0].compiled
        tally.passed += runs[0].passed
        tally.any_passed += any(r.passed for r in runs)
        right = bool(hits) and hits[0].name.split(":")[0] == design.family
        tally.right_family += right
        tally.tokens += sum(len(a.token_ids) for a in answers)
        fixed = mended(design, record, library, generator, args) if args.repairs else None
        tally.repairs += fixed is not None
        tally.repaired += bool(fixed)
        row = {
            "family": design.family,
            "repaired": fixed,
            "retrieved": right,
            "passed": [r.passed for r in runs],
        }
        tally.rows.append(row | {"compiled": [r.compiled for r in runs]})
        print(
            f"{tally.designs:4} {design.family:26} retrieved={'yes' if right else 'no ':3} "
            f"compiles={runs[0].compiled!s:5} passes={runs[0].passed!s:5} "
            f"| so far {tally.passed}/{tally.designs}, any {tally.any_passed}, "
            f"repairs {tally.repaired}/{tally.repairs}",
            file=sys.stderr,
            flush=True,
        )
    return tally


def main() -> None:
    """Parse arguments, measure, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--designs", type=int, default=60)
    parser.add_argument("--samples", type=int, default=0)
    parser.add_argument("--temperature", type=float, default=0.7)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--repairs", action="store_true", help="also one repair a design")
    parser.add_argument("--no-diagnosis", action="store_true", help="tell only that it failed")
    parser.add_argument("--adapter", default="", help="another than the shipped one")
    parser.add_argument("--families", choices=["all", "seen", "unseen"], default="seen")
    parser.add_argument("--out", default="")
    args = parser.parse_args()
    tally = measure(args)
    result = {
        "schema_version": 1,
        "what": "corpus families in unseen wordings, parameters and names",
        "machine": f"{platform.machine()}, {platform.system()}",
        "seed": args.seed,
        "families": args.families,
        "adapter": Path(args.adapter).name if args.adapter else "shipped",
        "designs": tally.designs,
        "samples_per_design": args.samples,
        "temperature": args.temperature,
        "retrieved_right_family": tally.right_family / tally.designs,
        "greedy_compiles": tally.compiled / tally.designs,
        "greedy_passes": tally.passed / tally.designs,
        "any_passes": tally.any_passed / tally.designs,
        "diagnosis": not args.no_diagnosis,
        "repairs": tally.repairs,
        "repaired": tally.repaired / tally.repairs if tally.repairs else None,
        "tokens": tally.tokens,
        "seconds": round(tally.seconds, 1),
        "rows": tally.rows,
    }
    text = json.dumps(result, indent=1) + "\n"
    if args.out:
        Path(args.out).write_text(text, encoding="utf-8")
    print(json.dumps({k: v for k, v in result.items() if k != "rows"}, indent=1))


if __name__ == "__main__":
    main()
