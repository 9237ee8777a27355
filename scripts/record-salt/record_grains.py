"""Records test/fixtures/salt-grains: the grains that Salt gives to machines whose files are in grain_machines.py.

Salt's own functions run; only where they look for files they find those of the machine, and of programs they find none
but systemd-detect-virt, which says what it says on such a machine.
"""
import builtins
import contextlib
import json
import logging
import os
import platform
import tempfile
from pathlib import Path
from unittest import mock

import distro
import salt.grains.core as core
import salt.utils.files
import salt.utils.path
import salt.version

from grain_machines import DISTRIBUTIONS, HARDWARE

FIXTURES = Path(__file__).parents[2] / "test" / "fixtures" / "salt-grains"
DETECT = "systemd-detect-virt"


@contextlib.contextmanager
def on_machine(files):
    """Absolute paths are those of the machine."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in files.items():
            (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            (root / path[1:]).write_text(text)
        # The kernel shows the same file in two places.
        product = root / "sys/class/dmi/id/product_name"
        if product.exists():
            (root / "sys/devices/virtual/dmi/id").mkdir(parents=True)
            (root / "sys/devices/virtual/dmi/id/product_name").write_text(product.read_text())
        inside = lambda path: str(root / str(path)[1:])
        with contextlib.ExitStack() as patches:
            for name in ("isfile", "isdir", "exists"):
                plain = getattr(os.path, name)
                patches.enter_context(mock.patch(f"os.path.{name}", lambda path, plain=plain: plain(inside(path))))
            patches.enter_context(mock.patch("os.stat", without_chroot(os.stat)))
            patches.enter_context(mock.patch("os.access", lambda path, mode: Path(inside(path)).exists()))
            patches.enter_context(mock.patch("salt.utils.files.fopen", lambda path, *args, **kwargs: builtins.open(inside(path), *args, **kwargs)))
            yield root


def without_chroot(plain):
    """A chroot is told by the root of the first process, and the recorder may run in one."""

    def stat(path, *args, **kwargs):
        if path == "/proc/1/root/.":
            raise OSError
        return plain(path, *args, **kwargs)

    return stat


def distribution_grains(files):
    with on_machine(files) as root:
        text = (root / "etc/os-release").read_text().splitlines()
        parsed = {"NAME": "Linux", "ID": "linux", "PRETTY_NAME": "Linux", **platform._parse_os_release(text)}
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            (Path(folder) / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path[1:]).write_text(content)
        found = distro.LinuxDistribution(include_lsb=False, include_uname=False, root_dir=folder)
        names = (found.name(), found.version(best=True), found.codename())
    with on_machine(files), mock.patch.object(core, "_freedesktop_os_release", lambda: parsed), \
            mock.patch.object(core, "_linux_distribution", lambda: names):
        grains = core._linux_distribution_data()
        grains.update(core._osrelease_data(grains["os"], grains["osfullname"], grains["osrelease"]))
    return {key: list(value) if isinstance(value, tuple) else value for key, value in sorted(grains.items())}


def virtual_grains(word, files):
    answers = {"retcode": 1 if word == "none" else 0, "stdout": word}
    with on_machine(files), mock.patch("salt.utils.path.which", lambda name: DETECT if name == DETECT else None), \
            mock.patch.object(core, "__opts__", {}, create=True), \
            mock.patch.object(core, "__salt__", {"cmd.run_all": lambda *_, **__: answers, "cmd.run": lambda *_, **__: ""}, create=True):
        # Salt knows the product by then.
        product = files.get("/sys/class/dmi/id/product_name", "").strip()
        return core._virtual({"kernel": "Linux", "productname": product})


def main():
    logging.disable(logging.CRITICAL)
    FIXTURES.mkdir(parents=True, exist_ok=True)
    recorded = {
        "salt": {"saltversion": salt.version.__version__, "saltversioninfo": list(salt.version.__version_info__)},
        "distributions": {name: {"files": files, "grains": distribution_grains(files)} for name, files in DISTRIBUTIONS.items()},
        "hardware": {name: {"files": files, "grains": virtual_grains(word, files)} for name, (word, files) in HARDWARE.items()},
    }
    (FIXTURES / "grains.json").write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
