"""A Dask cluster: one of our own on this machine, or one whose scheduler is named."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final, TypeAlias

import dask
from distributed import Client, Future, LocalCluster, Security
from distributed.scheduler import KilledWorker

from mcp_assay import __version__
from mcp_assay.engine.address import EngineChoice
from mcp_assay.engine.tasks import (
    AHEAD,
    MOST_RUNS,
    OF_THE_CLIENT,
    EngineUnavailable,
    Result,
    Task,
    TaskDone,
    TaskLost,
    loss_of,
    worker_lost,
)
from mcp_assay.engine.turns import TaskTurns

CONNECT_SECONDS: Final = 10
"""How long a scheduler may take to answer, and its first worker to be there."""
GRACE_SECONDS: Final = 60
"""How long a scheduler, or all workers, may be away in the middle of a run."""
POLL_SECONDS: Final = 2
START_SECONDS: Final = 60
"""How long workers of our own may take to start."""
LOOPBACK: Final = "127.0.0.1"
MOST_SENT: Final = 1 << 30
"""Bytes of one task from which on Dask would warn: some know very many sessions."""
QUIET_WORKERS: Final = {"DASK_LOGGING__DISTRIBUTED": "critical"}
OF_OUR_CLUSTER: Final = {
    "distributed.scheduler.allowed-failures": 0,
    "distributed.worker.profile.enabled": False,
    "distributed.nanny.pre-spawn-environ": {},
}
"""What Dask would set by default lets workers give memory back all the time: a quarter slower."""
NO_TLS: Final = (
    "whoever reaches its scheduler can run code there; use dask+tls://HOST:PORT with TLS in "
    "Dask's configuration, or add --engine-insecure in a network that you trust"
)

_Waiting: TypeAlias = dict[int, Any]
"""Tasks that are under way, each with its future."""
_one_at_a_time: Final = threading.Lock()
NEVER: Final = float("-inf")


class DaskEngine:
    """Runs tasks on the workers of a cluster."""

    def __init__(self, client: Client, opened: ExitStack) -> None:
        self._client: Final = client
        self._opened: Final = opened
        self._workers = _threads(client)
        self._counted = monotonic()

    @property
    def workers(self) -> int:
        """How many tasks are worked on at a time."""
        return self._workers

    @property
    def dashboard(self) -> str | None:
        """The address of Dask's own page about the cluster."""
        with suppress(Exception):  # whatever keeps a scheduler from having one
            link: str | None = self._client.dashboard_link
            return link
        return None

    def run(
        self,
        work: Callable[[Task], Result],
        tasks: Iterable[Any],
        runs: int = MOST_RUNS,
        ahead: int = AHEAD,
    ) -> Iterator[TaskDone[Result] | TaskLost]:
        """Do the work on each task; each outcome as soon as it is there."""
        ended: SimpleQueue[int] = SimpleQueue()
        waiting: _Waiting = {}
        turns = TaskTurns[Any](tasks, ahead=ahead, most_runs=runs)
        ill_since: float | None = None
        while True:
            self._count_workers()
            self._submit(work, turns, waiting, ended)
            if not waiting:
                return
            try:
                index = ended.get(timeout=POLL_SECONDS)
            except Empty:
                trouble = self._trouble()
                ill_since = (ill_since or monotonic()) if trouble else None
                if trouble and ill_since and monotonic() - ill_since > GRACE_SECONDS:
                    yield from (TaskLost(one, "engine_lost", trouble) for one in turns.left())
                    return
            else:
                ill_since = None
                outcome = _outcome(index, waiting.pop(index), runs)
                is_lost = isinstance(outcome, TaskLost) and outcome.kind == "worker_lost"
                if is_lost:
                    self._counted = NEVER  # else two tasks may have to share one of the others
                if not turns.end(index, is_lost=is_lost):
                    yield outcome

    def close(self) -> None:
        """Leave the cluster, and end it if it is ours."""
        self._opened.close()

    def _submit(
        self,
        work: Callable[[Any], Any],
        turns: TaskTurns[Any],
        waiting: _Waiting,
        ended: SimpleQueue[int],
    ) -> None:
        while (given := turns.take(self._workers)) is not None:
            index, task = given
            future = self._client.submit(_work, __version__, work, task, pure=False)
            waiting[index] = future
            future.add_done_callback(lambda _, index=index: ended.put(index))

    def _count_workers(self) -> None:
        """Note now and then how many workers there are: some may have come since."""
        if monotonic() - self._counted > POLL_SECONDS:
            with suppress(Exception):  # a scheduler that is away is waited for elsewhere
                self._workers = _threads(self._client)
            self._counted = monotonic()

    def _trouble(self) -> str | None:
        """Why nobody works at present; None where somebody does, and then note how many."""
        gone = f"the Dask scheduler was away for {GRACE_SECONDS} s"
        if self._client.status != "running":
            return gone
        try:
            self._workers = _threads(self._client)
        except Exception:  # noqa: BLE001  however a scheduler fails to answer, it does
            return gone
        return None if self._workers else f"there was no Dask worker for {GRACE_SECONDS} s"


def _threads(client: Client) -> int:
    number: int = sum(client.nthreads().values())
    return number


def cluster_here(workers: int) -> DaskEngine:
    """A cluster of our own: processes of this machine that listen on loopback, with keys of their
    own, so that nobody else on the machine can reach them."""
    opened = ExitStack()
    try:
        folder = opened.enter_context(TemporaryDirectory(prefix="mcp-assay-dask-"))
        opened.enter_context(_environment_of_workers())
        opened.enter_context(_quiet())
        opened.enter_context(dask.config.set(OF_OUR_CLUSTER))
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host=LOOPBACK,
            dashboard_address=f"{LOOPBACK}:0",
            worker_dashboard_address=None,
            local_directory=folder,
            security=True,
            silence_logs=logging.CRITICAL,
        )
        opened.enter_context(cluster)
        client = opened.enter_context(Client(cluster, timeout=START_SECONDS))
        client.wait_for_workers(workers, timeout=START_SECONDS)
        opened.callback(_let_start, client, workers)
        return DaskEngine(client, opened)
    except (OSError, RuntimeError, TimeoutError) as fault:
        opened.close()
        raise EngineUnavailable(f"no Dask cluster could be started here: {fault}") from None
    except BaseException:
        opened.close()
        raise


def _let_start(client: Client, workers: int) -> None:
    """Let a worker start that is to replace a dead one: closed meanwhile, it would complain."""
    with suppress(Exception):
        client.wait_for_workers(workers, timeout=CONNECT_SECONDS)


def cluster_there(choice: EngineChoice, insecure: bool) -> DaskEngine:
    """The cluster of a scheduler that is there already, whose workers have our version."""
    security = Security()
    has_tls = bool(security.tls_ca_file)
    if choice.tls and not has_tls:
        raise EngineUnavailable(
            "dask+tls needs distributed.comm.tls in Dask's configuration: ca-file, and cert and "
            "key of the client"
        )
    is_secure = choice.tls or has_tls
    if choice.is_remote and not is_secure and not insecure:
        raise EngineUnavailable(f"the scheduler {choice.scheduler} has no TLS: {NO_TLS}")
    address = f"{'tls' if is_secure else 'tcp'}://{choice.scheduler}"
    opened = ExitStack()
    try:
        opened.enter_context(_quiet())
        client = _connected(address, security if is_secure else None, opened)
        _require_same_version(client)
        return DaskEngine(client, opened)
    except BaseException:
        opened.close()
        raise


def _connected(address: str, security: Security | None, opened: ExitStack) -> Client:
    try:
        client = opened.enter_context(
            Client(address, security=security, timeout=CONNECT_SECONDS, set_as_default=False)
        )
    except (OSError, TimeoutError, ValueError):
        raise EngineUnavailable(
            f"no Dask scheduler answers at {address}; start one with `dask scheduler`, or omit "
            "--engine"
        ) from None
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError:
        raise EngineUnavailable(
            f"the Dask scheduler at {address} has no worker; start one with `dask worker {address}`"
        ) from None
    return client


def _require_same_version(client: Client) -> None:
    """Raise EngineUnavailable for the first worker that has another version than this client."""
    found: dict[str, Any] = client.run(_version, on_error="return")
    for worker, version in sorted(found.items()):
        if isinstance(version, BaseException):
            raise EngineUnavailable(
                f"the worker {worker} does not have mcp-assay; install version {__version__} there"
            )
        if version != __version__:
            raise EngineUnavailable(_difference(f"the worker {worker}", version, __version__))


def _difference(who: str, theirs: str, ours: str) -> str:
    return f"{who} has mcp-assay {theirs}, the client {ours}; install the same version on both"


def _version() -> str:
    return __version__


def _work(version: str, work: Callable[[Any], Any], task: Any) -> Any:
    """What a worker does: one task at a time, however many threads it has, and none of another
    version, for a worker may come later than the comparison at the start."""
    if version != __version__:
        return loss_of(0, EngineUnavailable(_difference("a worker", __version__, version)))
    with _one_at_a_time:
        try:
            return work(task)
        except Exception as fault:  # noqa: BLE001  said in words: the exception may not be picklable
            return loss_of(0, fault)


def _outcome(index: int, future: Future, runs: int) -> TaskDone[Any] | TaskLost:
    try:
        result = future.result(timeout=CONNECT_SECONDS)
    except KilledWorker:
        return worker_lost(index, "a Dask worker died", runs)
    except CancelledError:
        return TaskLost(
            index, "engine_lost", "the Dask scheduler forgot the task, as after a restart"
        )
    except Exception as fault:  # noqa: BLE001  whatever Dask says of it, the others go on
        return loss_of(index, fault)
    finally:
        future.release()
    return (
        TaskLost(index, result.kind, result.reason)
        if isinstance(result, TaskLost)
        else TaskDone(index, result)
    )


@contextmanager
def _environment_of_workers() -> Iterator[None]:
    """Let processes that are started meanwhile, also after one has died, have what is for them:
    not what is for the client alone, and no wish to write about themselves."""
    before = dict(os.environ)
    for name in before:
        if name.startswith(OF_THE_CLIENT):
            del os.environ[name]
    os.environ |= QUIET_WORKERS
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Let Dask say nothing on standard error: what matters is said once, by us."""
    threshold = {"distributed.admin.large-graph-warning-threshold": MOST_SENT}
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with dask.config.set(threshold):
            yield
    finally:
        logger.setLevel(level)
