"""The language server and a client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from opened import TRICKS, copied
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

PATIENCE = 20
"""Seconds to wait for an answer before the test fails."""


class Client:
    """A client in a thread. Places are given as the first `word` of the first row that contains `row`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.diagnostics: dict[str, list[types.Diagnostic]] = {}
        self.messages: list[str] = []
        self.texts: dict[str, str] = {}
        self._came = threading.Condition()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.protocol = LanguageClient("test", "1")
        self.protocol.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._published(params))
        self.protocol.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.append(params.message))
        self.protocol.feature(types.WINDOW_LOG_MESSAGE)(lambda params: self.messages.append(params.message))
        self.run(self.protocol.start_io(sys.executable, "-m", "fcbdsl", "lsp", cwd=str(folder)))
        about = types.InitializeParams(types.ClientCapabilities(), root_uri=folder.as_uri())
        self.capabilities = self.run(self.protocol.initialize_async(about)).capabilities
        self.protocol.initialized(types.InitializedParams())

    def run(self, task: Coroutine[Any, Any, Any]) -> Any:
        """Wait for an answer."""
        future: Future[Any] = asyncio.run_coroutine_threadsafe(task, self._loop)
        return future.result(PATIENCE)

    def ask(self, method: str, params: Any) -> Any:
        """Send a request and wait for its answer."""

        async def asked() -> Any:
            return await self.protocol.protocol.send_request_async(method, params)

        return self.run(asked())

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        with self._came:
            self.diagnostics[params.uri] = list(params.diagnostics)
            self._came.notify_all()

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def document(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))

    def open(self, name: str) -> None:
        """Open a file."""
        self.texts[name] = (self.folder / name).read_text(encoding="utf-8")
        self.protocol.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(self.uri(name), "fcb", 1, self.texts[name]))
        )

    def type(self, name: str, text: str) -> None:
        """Replace the text of a file."""
        self.texts[name] = text
        self.protocol.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(2, self.uri(name)),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def codes(self, name: str, wanted: list[str]) -> list[str]:
        """Return the codes of the problems of a file, as soon as they are the wanted ones, or after a timeout."""

        def now() -> list[str]:
            return [str(problem.code) for problem in self.diagnostics.get(self.uri(name), [])]

        with self._came:
            self._came.wait_for(lambda: now() == wanted, PATIENCE)
            return now()

    def at(self, kind: type, name: str, row: str, word: str, **more: Any) -> Any:
        """Send a request about a place; return the answer."""
        for number, text in enumerate(self.texts[name].split("\n")):
            if row in text:
                start = len(text[: text.index(word, text.index(row))].encode("utf-16-le")) // 2
                return kind(text_document=self.document(name), position=types.Position(number, start), **more)
        raise AssertionError(row)

    def stop(self) -> None:
        self.run(self.protocol.shutdown_async(None))
        self.protocol.exit(None)
        self.run(self.protocol.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Return a client of a server with one game; each test restores the files."""
    client = Client(copied(tmp_path_factory.mktemp("served")))
    client.open(TRICKS)
    yield client
    client.stop()


def test_problems_follow_typed_text(client: Client) -> None:
    right = client.texts[TRICKS]
    client.type(TRICKS, right.replace("Shove foe", "Shov foe"))
    assert client.codes(TRICKS, ["FCB0427"]) == ["FCB0427"]
    diagnostic = client.diagnostics[client.uri(TRICKS)][0]
    assert diagnostic.source == "fcb"
    assert "Did you mean `Shove`?" in diagnostic.message
    where = client.texts[TRICKS].split("\n")[diagnostic.range.start.line]
    assert where[diagnostic.range.start.character : diagnostic.range.end.character].startswith("Shov")
    cures = client.ask(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionParams(client.document(TRICKS), diagnostic.range, types.CodeActionContext([diagnostic])),
    )
    assert [edit.new_text for fix in cures for edit in fix.edit.changes[client.uri(TRICKS)]] == ["Shove"]
    client.type(TRICKS, right)
    assert client.codes(TRICKS, []) == []


def test_burst_of_typing_ends_with_last_text(client: Client) -> None:
    right = client.texts[TRICKS]
    for number in range(20):
        client.type(TRICKS, right + f"trick x{number} (((\n" * (number % 3))
    client.type(TRICKS, right.replace("Shove foe", "Shov foe"))
    assert client.codes(TRICKS, ["FCB0427"]) == ["FCB0427"]
    client.type(TRICKS, right)
    assert client.codes(TRICKS, []) == []


def test_definition_and_references_are_found(client: Client) -> None:
    place = client.ask(types.TEXT_DOCUMENT_DEFINITION, client.at(types.DefinitionParams, TRICKS, "Shove foe", "Shove"))
    assert place.uri == client.uri("systems/lanterns/actions.fcb")
    params = client.at(
        types.ReferenceParams, TRICKS, "Shove foe", "foe", context=types.ReferenceContext(include_declaration=False)
    )
    assert len(client.ask(types.TEXT_DOCUMENT_REFERENCES, params)) == 2
    lit = client.ask(
        types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, client.at(types.DocumentHighlightParams, TRICKS, "Shove foe", "foe")
    )
    assert len(lit) == 3


def test_hover_symbols_and_previews_are_answered(client: Client) -> None:
    hover = client.ask(types.TEXT_DOCUMENT_HOVER, client.at(types.HoverParams, TRICKS, "trick hard-shoulder", "hard"))
    assert "**fr**" in hover.contents.value
    outline = client.ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(client.document(TRICKS)))
    assert "oil-flask" in [symbol.name for symbol in outline]
    everywhere = client.ask(types.WORKSPACE_SYMBOL, types.WorkspaceSymbolParams("thief"))
    assert "thief" in [symbol.name for symbol in everywhere]
    assert client.ask(types.TEXT_DOCUMENT_FOLDING_RANGE, types.FoldingRangeParams(client.document(TRICKS)))
    tokens = client.ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(client.document(TRICKS)))
    assert len(tokens.data) % 5 == 0
    assert len(tokens.data) > 200
    (link,) = client.ask(types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkParams(client.document(TRICKS)))
    assert link.target.endswith("system.fcb")
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    client.ask(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintParams(client.document(TRICKS), whole))


def test_unsaved_names_are_completed(client: Client) -> None:
    right = client.texts[TRICKS]
    client.type(TRICKS, right + 'trick new "New":\n  effect: Sho')
    row = client.texts[TRICKS].count("\n")
    params = types.CompletionParams(client.document(TRICKS), types.Position(row, 13))
    completions = client.ask(types.TEXT_DOCUMENT_COMPLETION, params)
    shove = next(item for item in completions.items if item.label == "Shove")
    assert shove.text_edit.range.start.character == 10
    client.type(TRICKS, right + 'trick new "New":\n  effect: Shove ')
    help_params = types.SignatureHelpParams(client.document(TRICKS), types.Position(row, 16))
    assert "Shove" in client.ask(types.TEXT_DOCUMENT_SIGNATURE_HELP, help_params).signatures[0].label
    client.type(TRICKS, right)
    assert client.codes(TRICKS, []) == []


def test_rename_works_across_files(client: Client) -> None:
    params = client.at(types.RenameParams, TRICKS, "Shove foe", "Shove", new_name="Jostle")
    changes = client.ask(types.TEXT_DOCUMENT_RENAME, params).changes
    assert {client.uri(TRICKS), client.uri("systems/lanterns/actions.fcb")} <= set(changes)
    prepared = client.ask(
        types.TEXT_DOCUMENT_PREPARE_RENAME, client.at(types.PrepareRenameParams, TRICKS, "Shove foe", "foe")
    )
    assert prepared.placeholder == "foe"
    with pytest.raises(JsonRpcException, match="several words"):
        client.ask(
            types.TEXT_DOCUMENT_RENAME, client.at(types.RenameParams, TRICKS, "set terrain", "set", new_name="put")
        )


def test_rename_of_card_warns_of_saved_campaigns(client: Client) -> None:
    card = client.at(types.RenameParams, TRICKS, "trick quick-feet", "quick-feet", new_name="swift-feet")
    client.ask(types.TEXT_DOCUMENT_RENAME, card)
    assert [message for message in client.messages if "saved keep the old name `quick-feet`" in message]


def test_document_is_formatted_by_server(client: Client) -> None:
    right = client.texts[TRICKS]
    params = types.DocumentFormattingParams(client.document(TRICKS), types.FormattingOptions(2, True))
    assert list(client.ask(types.TEXT_DOCUMENT_FORMATTING, params)) == []
    client.type(TRICKS, right.replace("sudden: yes", "sudden :yes"))
    (edit,) = client.ask(types.TEXT_DOCUMENT_FORMATTING, params)
    assert edit.new_text == right
    client.type(TRICKS, right + "trick (((\n")
    with pytest.raises(JsonRpcException, match="mistakes"):
        client.ask(types.TEXT_DOCUMENT_FORMATTING, params)
    client.type(TRICKS, right)
    assert client.codes(TRICKS, []) == []


def test_columns_are_utf_16(client: Client) -> None:
    right = client.texts[TRICKS]
    client.type(TRICKS, right + 'trick new "𝄞𝄞", nonsense:\n  fr: "N"\n  effect: Shove active\n')
    row = client.texts[TRICKS].split("\n").index('trick new "𝄞𝄞", nonsense:')
    assert client.codes(TRICKS, ["FCB0316"]) == ["FCB0316"]
    (diagnostic,) = client.diagnostics[client.uri(TRICKS)]
    assert (diagnostic.range.start.line, diagnostic.range.start.character) == (row, len('trick new "𝄞𝄞", ') + 2)
    client.type(TRICKS, right)
    assert client.codes(TRICKS, []) == []


def test_failed_request_is_an_error_and_the_next_is_answered(client: Client) -> None:
    nowhere = types.HoverParams(types.TextDocumentIdentifier("untitled:x"), types.Position(0, 0))
    with pytest.raises(JsonRpcException):
        client.ask(types.TEXT_DOCUMENT_HOVER, nowhere)
    with pytest.raises(JsonRpcException):
        client.ask(
            types.TEXT_DOCUMENT_HOVER,
            types.HoverParams(types.TextDocumentIdentifier(client.uri("nosuch.fcb")), types.Position(0, 0)),
        )
    beyond = types.HoverParams(client.document(TRICKS), types.Position(9_999, 9_999))
    assert client.ask(types.TEXT_DOCUMENT_HOVER, beyond) is None
    test_definition_and_references_are_found(client)


def test_new_files_are_noticed(client: Client) -> None:
    other = client.folder / "cards" / "more.fcb"
    other.write_text("nonsense\n")
    event = types.FileEvent(other.as_uri(), types.FileChangeType.Created)
    client.protocol.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert client.codes("cards/more.fcb", ["FCB0320"]) == ["FCB0320"]
    other.unlink()
    client.protocol.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert client.codes("cards/more.fcb", []) == []
