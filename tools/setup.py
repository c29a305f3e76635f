"""Make `.venv` and put a hashed lock and the package into it: `python tools/setup.py run|dev|bench`.

Standard library only: it is the first thing that runs on a fresh machine.
"""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
PACKAGE = ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]


def succeeds(*command: str) -> bool:
    """Run a command quietly in the project's root and say whether it worked."""
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


def install(*arguments: str, python: Path = PYTHON) -> None:
    """Install with uv if it is there and works, with the environment's own pip otherwise."""
    uv = shutil.which("uv")
    if uv and succeeds(uv, "pip", "install", "--quiet", "--python", str(python), *arguments):
        return
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
    if subprocess.run(pip, cwd=ROOT, check=False).returncode:
        sys.exit("bygones: the installation failed; the lines above, from pip, say why.")


def main(lock: str) -> None:
    """Set up the environment for one lock: `run`, `dev` or `bench`."""
    if sys.version_info < (3, 11):  # noqa: UP036
        sys.exit(
            f"bygones needs Python 3.11 or later, and this is {sys.version.split()[0]}: "
            "name a later one with `make PYTHON=python3.12 ...`."
        )
    if not (find_spec("venv") and find_spec("ensurepip")):
        sys.exit(
            "bygones: this Python comes without venv; install it (Debian and Ubuntu: "
            "`apt-get install python3-venv`) and call make again."
        )
    if not (PYTHON.exists() and succeeds(str(PYTHON), "-c", "import pip")):
        shutil.rmtree(VENV, ignore_errors=True)
        print("bygones: making .venv", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    print(f"bygones: installing requirements/{lock}.txt (a minute or two the first time)", flush=True)
    install("--require-hashes", "--requirement", str(ROOT / "requirements" / f"{lock}.txt"))
    install(*PACKAGE)
    subprocess.run([str(PYTHON), str(ROOT / "tools" / "warm.py")], check=True)


if __name__ == "__main__":
    main(sys.argv[1])
