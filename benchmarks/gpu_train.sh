#!/bin/sh
# Go on training the embedded default's adapter on a machine with a GPU, eight minutes in all.
#
#   here:   sh benchmarks/gpu_train.sh pack .gpu pairs.jsonl held.jsonl
#           (pieces of the base under 60 MB, the pairs compressed: carry the folder over)
#   there:  sh benchmarks/gpu_train.sh train .gpu OUT
#           (needs torch, transformers, peft and safetensors; nothing is fetched)
#
# OUT gets adapter.safetensors (16 MB) and gpu_train.json. Without a GPU `train` says so and exits 0.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
what=${1:-}
work=${2:-}

links() { # the source tree under its installed names
    packages=$(mktemp -d)
    mkdir "$packages/rtl_agent"
    ln -s "$here/decoding" "$packages/rtl_agent/decoding"
    PYTHONPATH="$packages${PYTHONPATH:+:$PYTHONPATH}"
    export PYTHONPATH
}

case "$what" in
pack)
    [ $# -ge 3 ] || { echo "usage: $0 pack FOLDER PAIRS [HELD-OUT]" >&2; exit 2; }
    links
    mkdir -p "$work"
    base=$("$python" -c 'from rtl_agent.decoding.models.embedded import base_folder; print(base_folder())')
    "$python" "$here/benchmarks/gpu/pieces.py" pack "$base" "$work"
    gzip -9 -c "$3" > "$work/pairs.jsonl.gz"
    if [ $# -ge 4 ]; then gzip -9 -c "$4" > "$work/held.jsonl.gz"; fi
    ;;
train)
    out=${3:-${OUT:-}}
    [ -n "$work" ] && [ -n "$out" ] || { echo "usage: $0 train FOLDER OUT" >&2; exit 2; }
    if ! "$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
        echo "no GPU here: nothing was trained"
        exit 0
    fi
    links
    [ -f "$work/base/config.json" ] || "$python" "$here/benchmarks/gpu/pieces.py" join "$work" "$work/base"
    for name in pairs held; do
        if [ -f "$work/$name.jsonl.gz" ]; then gzip -dc "$work/$name.jsonl.gz" > "$work/$name.jsonl"; fi
    done
    held=""
    if [ -f "$work/held.jsonl" ]; then held="$work/held.jsonl"; fi
    sha=$("$python" -c 'from rtl_agent.decoding.models.embedded import BASE_SHA256; print(BASE_SHA256)')
    exec "$python" "$here/benchmarks/gpu/train.py" --base "$work/base" --base-sha256 "$sha" \
        --pairs "$work/pairs.jsonl" --validation "$held" \
        --init "$here/decoding/models/data/adapter.safetensors" \
        --work "$work/run" --out "$out" --minutes "${MINUTES:-6}"
    ;;
*)
    echo "usage: $0 pack|train FOLDER …" >&2
    exit 2
    ;;
esac
