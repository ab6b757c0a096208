#!/bin/sh
# Check the decoder on a machine with a CUDA GPU, in less than eight minutes: faithfulness on small
# random models, verify and bench on a model that is given, and what a step of a 7 B-shaped random
# model costs against the size of its draft tree. Writes one JSON.
#
#   sh benchmarks/gpu_check.sh [OUT.json] [MODEL-FOLDER]
#
# Needs torch and transformers; nothing is fetched. Without a GPU it says so and exits 0.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
out=${1:-gpu_check.json}
model=${2:-}

if ! "$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
    echo "no GPU here: nothing was checked"
    exit 0
fi
packages=$(mktemp -d) # the source tree under its installed names
trap 'rm -rf "$packages"' EXIT
mkdir "$packages/rtl_agent"
ln -s "$here/decoding" "$packages/rtl_agent/decoding"
PYTHONPATH="$packages${PYTHONPATH:+:$PYTHONPATH}" \
    "$python" "$here/benchmarks/gpu/check.py" --out "$out" --model "$model" --minutes "${MINUTES:-7}"
