"""A PostgreSQL for tests: Debian's package, in a folder of its own, on 127.0.0.1 only, and gone when they are."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",
    "shared_buffers": "16MB",
    "logging_collector": "off",
}


class Postgres:
    """A server in a new folder; it refuses to run as root, and then runs as `postgres` or `nobody`."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="bygones-postgres-"))
        self.user = {}
        if os.geteuid() == 0:
            names = {each.pw_name for each in pwd.getpwall()}
            self.user = {"user": "postgres" if "postgres" in names else "nobody", "extra_groups": []}
            shutil.chown(self.folder, self.user["user"])
        self.data = self.folder / "data"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = None
        self._run("initdb", "-D", self.data, "-U", "bygones", "-A", "trust", "-E", "UTF8", "--no-instructions")

    def url(self, database="bygones"):
        """The address of a database."""
        return f"postgresql://bygones@127.0.0.1:{self.port}/{database}"

    def new(self, name):
        """The address of a new, empty database."""
        self._run("createdb", "-h", "127.0.0.1", "-p", self.port, "-U", "bygones", name)
        return self.url(name)

    def start(self):
        """Start, and wait until it answers."""
        settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        (self.data / "postmaster.pid").unlink(missing_ok=True)  # of one that was killed
        with Path(self.folder, "log").open("ab") as log:
            command = [PROGRAMS[-1] / "postgres", "-D", self.data, "-p", str(self.port), *settings]
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, **self.user)
        for _ in range(600):
            ready = [PROGRAMS[-1] / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
            if subprocess.run(ready).returncode == 0:
                return self
            if self.process.poll() is not None:  # what the one before holds is not free yet
                time.sleep(0.1)
                return self.start()
            time.sleep(0.05)
        raise RuntimeError(Path(self.folder, "log").read_text())

    def kill(self):
        """End it as a power cut does."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.process.kill()
        for each in children:
            try:
                os.kill(int(each), signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()

    def close(self):
        """Stop, and leave nothing."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)  # end all connections
            self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program, *arguments):
        command = [PROGRAMS[-1] / program, *map(str, arguments)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self.user)


def made():
    """A server that runs; skips the test where there is none, unless it is CI."""
    if not PROGRAMS:
        message = "there is no PostgreSQL: apt-get install postgresql"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    server = Postgres()
    try:
        return server.start()
    except BaseException:
        server.close()
        raise


@pytest.fixture(scope="session")
def postgres():
    """A server for all tests of a process; `postgres.new(name)` gives the address of a new database."""
    server = made()
    yield server
    server.close()
