"""Build the sdist and the wheel, and try both in clean environments: `make check-dist`.

The wheel goes into a clean environment with the lock `run`, and must answer on the command line and simulate. The sdist
goes into another with the lock `dev`; then its own tests run from the unpacked archive, against the installed package.
All tests are collected, and all run but the slow ones and the reproductions, which `make test` runs on the same code.
Standard library only. Everything happens in a temporary folder.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setup import ROOT, install

SIMULATION = (
    "import bygones as by; problem = by.Problem(actions=4, horizon=1000, memory=by.Window(10)); "
    "print(by.simulate(problem, [by.FTARL(), by.LSA()], by.StocHet(), replicates=20).summary())"
)
TESTS = ("-n", "2", "--dist", "loadgroup", "-m", "not slow", "--deselect", "tests/reproduction")
PLACES = ("tests", "docs", "README.md", "--pyargs", "bygones")  # doctests of the installed package, not of src


def environment(folder: Path, lock: str) -> Path:
    """The interpreter of a new environment with a lock in it."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    locked = str(ROOT / "requirements" / f"{lock}.txt")
    install("--require-hashes", "--requirement", locked, python=python)
    return python


def run(folder: Path, *command: str | Path) -> None:
    """Run a command in a folder outside the checkout, with a cache of its own, or end with its exit code."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, check=False, env=inherited | {"XDG_CACHE_HOME": str(folder / "cache")})
    if done.returncode:
        sys.exit(f"bygones: `{' '.join(map(str, command))}` failed with exit code {done.returncode}")


def main() -> None:
    """Build, install and test."""
    begun = time.perf_counter()

    def say(what: str) -> None:
        print(f"bygones: {what} ({time.perf_counter() - begun:.0f} s)", flush=True)

    with tempfile.TemporaryDirectory(prefix="bygones-dist-") as name:
        folder = Path(name)
        with ThreadPoolExecutor() as pool:
            user, developer = pool.map(environment, (folder / "run", folder / "dev"), ("run", "dev"))
        say("two clean environments are there")
        subprocess.run([user, "-m", "hatchling", "build", "-d", str(folder)], cwd=ROOT, check=True)
        (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")

        install("--no-deps", str(wheel), python=user)
        run(folder, user.with_name("bygones"), "--version")
        run(folder, user, "-c", SIMULATION)
        say("the wheel works")

        install("--no-deps", "--no-build-isolation", str(sdist), python=developer)
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        say("the sdist is installed; its tests begin")
        run(folder / sdist.name.removesuffix(".tar.gz"), developer, "-m", "pytest", *TESTS, *PLACES)
        say("the sdist passes its own tests")


if __name__ == "__main__":
    main()
