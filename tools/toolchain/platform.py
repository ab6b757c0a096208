"""How to install things on the machine at hand."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["install_hint", "package_manager"]

# Program that tells the package manager apart: the command that installs with it.
_MANAGERS = {
    "apt-get": "sudo apt-get install -y",
    "dnf": "sudo dnf install -y",
    "pacman": "sudo pacman -S --noconfirm",
    "zypper": "sudo zypper install -y",
    "brew": "brew install",
}


def package_manager() -> str | None:
    """The first package manager found, or None."""
    wanted = ["brew"] if sys.platform == "darwin" else list(_MANAGERS)
    return next((name for name in wanted if shutil.which(name)), None)


def install_hint(packages: Mapping[str, str]) -> str:
    """The command that installs a tool here.

    Args:
        packages: Package name by manager (`apt-get`, `dnf`, `pacman`, `zypper`, `brew`, `pip`).

    Returns:
        One command line; where no manager is known, one sentence that names the package.
    """
    manager = package_manager()
    if manager is not None and manager in packages:
        return f"{_MANAGERS[manager]} {packages[manager]}"
    if "pip" in packages:
        return f"pip install {packages['pip']}"
    name = next(iter(packages.values()), "")
    return f"install the package {name} with your system's package manager"
