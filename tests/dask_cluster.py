"""A Dask cluster for tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


class Workplace:
    """A scheduler and its workers on this machine, each a separate process."""

    def __init__(self, folder: Path, tls: Sequence[str] = ()) -> None:
        """Start the scheduler. `tls`: options for its certificates and those of its workers."""
        self.folder, self.processes, self.tls = folder, list[subprocess.Popen[str]](), tls
        host = ("--host", "tls://127.0.0.1:0") if tls else ("--host", "127.0.0.1", "--port", "0")
        scheduler = self.begin("scheduler", *host, "--no-dashboard", *tls)
        assert scheduler.stderr is not None
        announced = next(line for line in scheduler.stderr if "Scheduler at:" in line)
        self.address = announced.split("Scheduler at:")[1].strip()

    def begin(self, what: str, *arguments: str) -> subprocess.Popen[str]:
        """Start a process of the cluster."""
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments]
        environment = {**os.environ, "DASK_TEMPORARY_DIRECTORY": str(self.folder)}
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=self.folder, env=environment)
        self.processes.append(process)
        return process

    def worker(self, *more: str) -> subprocess.Popen[str]:
        """Start a worker that is not restarted if it ends."""
        host = "tls://127.0.0.1" if self.tls else "127.0.0.1"
        options = [*self.tls, "--host", host, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        process = self.begin("worker", self.address, *options, *more)
        assert process.stderr is not None
        assert any("Registered to" in line for line in process.stderr)
        return process

    def end(self) -> None:
        """End all running processes."""
        for process in self.processes:
            process.kill()
            process.communicate()
