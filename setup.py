"""Names the packages: the four top folders install below `rtl_agent`.

setuptools' static `packages` would need every sub-package listed by hand; this lists them from
the tree, so that a new folder with an `__init__.py` is never forgotten in a wheel.
"""

from setuptools import find_packages, setup

ROOTS = ("agent", "decoding", "tools", "prompts")

setup(
    package_dir={f"rtl_agent.{root}": root for root in ROOTS},
    packages=[
        name
        for root in ROOTS
        for name in (
            f"rtl_agent.{root}",
            *(f"rtl_agent.{root}.{sub}" for sub in find_packages(root)),
        )
    ],
)
