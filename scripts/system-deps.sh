#!/bin/sh
# Installs the two system packages rtl-agent needs, or says which command does.
# Icarus Verilog compiles and simulates; bubblewrap keeps simulations away from the rest.
set -eu

missing=""
command -v iverilog >/dev/null 2>&1 || missing="$missing iverilog"
command -v vvp >/dev/null 2>&1 || missing="$missing vvp"
case "$(uname -s)" in
    Linux) command -v bwrap >/dev/null 2>&1 || missing="$missing bwrap" ;;
esac
[ -z "$missing" ] && exit 0
echo "missing:$missing"

if command -v apt-get >/dev/null 2>&1; then
    root=""
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "run as root: apt-get install -y iverilog bubblewrap" >&2
            exit 3
        fi
        root="sudo"
    fi
    # An old package list makes the install fail; a list that cannot be refreshed may still do.
    $root apt-get update -qq || true
    DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq iverilog bubblewrap
elif command -v dnf >/dev/null 2>&1; then
    echo "run: sudo dnf install iverilog bubblewrap" >&2
    exit 3
elif command -v pacman >/dev/null 2>&1; then
    echo "run: sudo pacman -S iverilog bubblewrap" >&2
    exit 3
elif command -v brew >/dev/null 2>&1; then
    echo "run: brew install icarus-verilog   (there is no bubblewrap on macOS)" >&2
    exit 3
else
    echo "install Icarus Verilog (iverilog, vvp) and, on Linux, bubblewrap (bwrap)" >&2
    exit 3
fi
