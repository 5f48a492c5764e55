"""``fcb serve``."""

from __future__ import annotations

import errno
import logging
import os
import secrets
import socket
import threading
from typing import TYPE_CHECKING

import click

from fcbdsl.base.bounds import FILE_BYTES
from fcbdsl.cli import common

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from fcbdsl.editor.live.live_server import Hub
    from fcbdsl.editor.live.live_worker import Helper
    from fcbdsl.editor.live.project_state import Desk
    from fcbdsl.editor.table.project_tables import ProjectTables
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.session.playout import Record
    from fcbdsl.project.file_watcher import Watcher

FIRST_PORT = 8437
PORTS = 20
"""The number of ports that are tried by default."""
LOOPBACK = "127.0.0.1"
"""The address that only this machine can reach."""
MOST_RECEIVED = 1 << 16
"""Most bytes of a websocket message; tables send far less."""
MOST_OF_TEXT = 6 * FILE_BYTES
"""Most bytes of a websocket message with a text: JSON may write six bytes for one."""
NEEDED = ("starlette", "uvicorn", "websockets", "anyio")
NEEDED_BY_EDITOR = ("lsprotocol", "cattrs")


@click.command("serve", epilog="Example: fcb serve --open")
@common.shipped_option
@click.option(
    "--port", type=click.IntRange(1, 65535), help=f"Port of the page. [default: the first free one from {FIRST_PORT}]"
)
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@click.option("--write", is_flag=True, help="Let the pages change files of the project: an editor, and a map painter.")
def command(port: int | None, opened: bool, write: bool) -> None:
    """Preview cards in the browser as you save. Stop with Ctrl-C.

    The page shows the card, sheet or rule that you saved last, in all languages side by side. It also shows the
    project's problems, the tests that run this piece, and random games that failed. The link Play opens a mission at
    a table. Meanwhile fcb runs the tests that a change can affect, as `fcb watch` does.

    fcb answers only your machine (127.0.0.1), and only browsers that have opened the printed link. The link contains
    a secret token, so other users of the machine cannot read your project.

    The link Text opens a source in the editor of the page, with problems, fixes, completion and print beside it.

    Nothing on the pages changes your files, unless you give `--write`. The editor then saves, and a map painter paints.
    """
    try:
        from fcbdsl.editor.live.live_server import Hub, make_live_app
        from fcbdsl.editor.table.project_tables import ProjectTables
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in NEEDED:
            raise
        from fcbdsl.base.origin import install_advice

        raise click.UsageError(f"The page needs Starlette and uvicorn. {install_advice('live')}") from missing
    from fcbdsl.cli.table_looks import looks_of
    from fcbdsl.editor.live.live_worker import Helper, Opening
    from fcbdsl.editor.live.project_state import Desk
    from fcbdsl.project import file_watcher

    with bind_socket(port) as listening:  # first of all, so that a port in use is reported at once
        chosen = common.scope()
        spaces = common.open_scope(chosen)
        games = tuple(space.loader.project.game for space in spaces)
        number: int = listening.getsockname()[1]
        desk, hub = Desk(spaces), Hub()
        tables = ProjectTables(desk, number, looks_of, common.shared_languages)
        watcher = file_watcher.Watcher(lambda: file_watcher.files_state(space.loader for space in spaces))
        helper = Helper(Opening(chosen.root, games), story_page)
        ended = threading.Event()
        for task in (_listen, _watch):
            threading.Thread(target=task, args=(desk, hub, helper, tables, watcher, ended), daemon=True).start()
        token = secrets.token_urlsafe(32)
        address = f"http://127.0.0.1:{number}/?token={token}"
        click.echo(f"{address}  (Ctrl-C ends it)")
        maps = None
        if write:
            from fcbdsl.editor.painter.map_painter import MapPainter
            from fcbdsl.editor.painter.painter_server import make_painter_app

            maps, desk.paints = make_painter_app(MapPainter(desk)), True
            click.echo(f"http://127.0.0.1:{number}/map/?token={token}  (the map painter)")
        texts = _writer(desk, hub, number, write)
        if texts is not None:
            desk.editor = "Edit" if write else "Text"
            if write:
                click.echo(f"http://127.0.0.1:{number}/write/?token={token}  (the editor)")
        if opened:
            click.launch(address)
        try:
            serve_at(make_live_app(desk, hub, number, token, tables, maps, texts), listening, MOST_OF_TEXT)
        except KeyboardInterrupt:
            pass
        finally:
            ended.set()
            helper.end()
        click.echo("No longer serving.", err=True)


def _writer(desk: Desk, hub: Hub, number: int, write: bool) -> ASGIApp | None:
    """Return the application of the editor in the page; None if the language server is not installed."""
    try:
        from fcbdsl.editor.writer.writer_server import make_writer_app
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in NEEDED_BY_EDITOR:
            raise
        from fcbdsl.base.origin import install_advice

        click.echo(f"There is no editor: it needs lsprotocol. {install_advice('editor')}", err=True)
        return None
    return make_writer_app(desk, hub, number, write)


def bind_socket(port: int | None, address: str = LOOPBACK) -> socket.socket:
    """Return a socket at one address of this machine, at a port, or at the first free one of some. Refuses a port that
    is taken and an address that this machine does not have."""
    for number in [port] if port is not None else range(FIRST_PORT, FIRST_PORT + PORTS):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name == "posix":  # POSIX: this reuses a port whose former owner has just ended
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((address, number))
            listening.listen()
        except OSError as error:
            listening.close()
            if error.errno == errno.EADDRNOTAVAIL:
                raise click.UsageError(f"{address} is not an address of this machine.") from error
            continue
        return listening
    if port is not None:
        raise click.UsageError(f"Port {port} is not free. Choose another port, or leave out --port.")
    raise click.UsageError(
        f"The ports {FIRST_PORT} to {FIRST_PORT + PORTS - 1} are not free. Choose another one with --port."
    )


def serve_at(app: object, listening: socket.socket, most: int = MOST_RECEIVED) -> None:
    """Serve requests until the process is interrupted. `most`: most bytes of a websocket message."""
    import uvicorn

    logging.getLogger("uvicorn.error").addFilter(_is_reported)
    uvicorn.Server(server_config(app, most)).run([listening])


def server_config(app: object, most: int = MOST_RECEIVED) -> uvicorn.Config:
    """Return the settings of the server. It closes a connection that sends more than `most` bytes at once."""
    import uvicorn

    from fcbdsl.cli.compressed_websocket import CompressedWebSocket

    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        ws=CompressedWebSocket,
        ws_max_size=most,
        timeout_graceful_shutdown=1,
    )


def _is_reported(record: logging.LogRecord) -> bool:
    """Return False for the traceback of a message that is not UTF-8: its connection is closed with code 1007."""
    return record.exc_info is None or not isinstance(record.exc_info[1], UnicodeDecodeError)


def _watch(
    desk: Desk, hub: Hub, helper: Helper, tables: ProjectTables, watcher: Watcher, ended: threading.Event
) -> None:
    """Watch the files, and notify the helper and the pages of changes."""
    from fcbdsl.project import file_watcher

    while not ended.wait(file_watcher.PAUSE):
        files = watcher.take()
        if files:
            helper.wake()
            desk.refresh(files)
            tables.refresh()
            hub.publish()


def _listen(
    desk: Desk, hub: Hub, helper: Helper, tables: ProjectTables, watcher: Watcher, ended: threading.Event
) -> None:
    """Store the results of the helper."""
    from fcbdsl.editor.live.background_runner import Found

    def tell(findings: Found) -> None:
        desk.note(findings)
        hub.publish()

    helper.listen(tell)
    desk.end()
    hub.publish()


def story_page(image: Image, record: Record, model: Model) -> str:
    """Return the page of a failed game, with its board as it is printed."""
    from fcbdsl.cli import stories
    from fcbdsl.cli.replay_command import drawn_boards, replay_story

    language = common.shared_languages(image.program)[0]
    drawn = drawn_boards(image, record, language, None)
    story = replay_story(image, record, language, None, drawn.note)
    return stories.render_story(story, language, drawn=drawn.looks(model))
