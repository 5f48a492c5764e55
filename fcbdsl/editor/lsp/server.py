"""The language server: answers the messages of an editor, over standard input and output or in another way.

It handles one message at a time. It reads an edited text when no other edit follows for a moment, or when a request
needs it. Columns are in the units that the client prefers, UTF-16 by default.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any, BinaryIO

from lsprotocol import types

from fcbdsl import __version__
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.source import Span
from fcbdsl.editor.lsp import completion, refactoring, structure
from fcbdsl.editor.lsp import hover as knowing
from fcbdsl.editor.lsp.documents import Columns, Document, chosen_encoding, well_formed
from fcbdsl.editor.lsp.protocol import Broken, RequestFailed, Send, Wire, frames, framing, read_message
from fcbdsl.editor.lsp.sessions import EditorSession, NotOpened, Sessions
from fcbdsl.editor.lsp.symbols import DeclaredName, symbol_summary
from fcbdsl.editor.lsp.uris import path_of, uri_of
from fcbdsl.editor.lsp.word_places import in_file
from fcbdsl.project.paths import shown_name

PAUSE = 0.02
"""Seconds without another edit after which problems are published."""
MOST_FOUND = 500
"""Symbols of one answer."""
_MOST_FAILURES = 20
"""Most internal errors that are shown in one session, so that they do not cover other messages."""

INVALID_REQUEST = types.ErrorCodes.InvalidRequest.value

Rows = tuple[int, int, int, int]
_TOKENS = tuple(sorted(set(structure.TOKENS.values())))

_SYMBOLS = {
    "kind": types.SymbolKind.Class,
    "field": types.SymbolKind.Field,
    "stat": types.SymbolKind.Field,
    "zone": types.SymbolKind.Array,
    "part": types.SymbolKind.Struct,
    "form": types.SymbolKind.Function,
    "verb": types.SymbolKind.Function,
    "keyword": types.SymbolKind.Function,
    "relation": types.SymbolKind.Operator,
    "measure": types.SymbolKind.Function,
    "event": types.SymbolKind.Event,
    "enum": types.SymbolKind.Enum,
    "value": types.SymbolKind.EnumMember,
    "test": types.SymbolKind.Method,
    "system": types.SymbolKind.Namespace,
    "action": types.SymbolKind.Method,
}
_PROPOSALS = {
    "lead": types.CompletionItemKind.Keyword,
    "declaration": types.CompletionItemKind.Keyword,
    "word": types.CompletionItemKind.Keyword,
    "kind": types.CompletionItemKind.Class,
    "type": types.CompletionItemKind.TypeParameter,
    "form": types.CompletionItemKind.Function,
    "action": types.CompletionItemKind.Method,
    "field": types.CompletionItemKind.Field,
    "zone": types.CompletionItemKind.Field,
    "local": types.CompletionItemKind.Variable,
    "definition": types.CompletionItemKind.Constant,
    "event": types.CompletionItemKind.Event,
    "system": types.CompletionItemKind.Module,
}
_PROVIDERS = {
    types.TEXT_DOCUMENT_DEFINITION: "definition_provider",
    types.TEXT_DOCUMENT_REFERENCES: "references_provider",
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: "document_highlight_provider",
    types.TEXT_DOCUMENT_HOVER: "hover_provider",
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: "document_symbol_provider",
    types.WORKSPACE_SYMBOL: "workspace_symbol_provider",
    types.TEXT_DOCUMENT_COMPLETION: "completion_provider",
    types.TEXT_DOCUMENT_SIGNATURE_HELP: "signature_help_provider",
    types.TEXT_DOCUMENT_RENAME: "rename_provider",
    types.TEXT_DOCUMENT_CODE_ACTION: "code_action_provider",
    types.TEXT_DOCUMENT_FORMATTING: "document_formatting_provider",
    types.TEXT_DOCUMENT_FOLDING_RANGE: "folding_range_provider",
    types.TEXT_DOCUMENT_DOCUMENT_LINK: "document_link_provider",
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: "semantic_tokens_provider",
    types.TEXT_DOCUMENT_INLAY_HINT: "inlay_hint_provider",
}
"""The capability that announces each method."""

Handler = Callable[[Any], Any]


class FcbServer:
    """A server with the projects and the texts that it has open.

    `sessions`: projects that an earlier server has opened. `guard` is held while a message is handled.
    """

    def __init__(self, sessions: Sessions | None = None, guard: AbstractContextManager[object] | None = None) -> None:
        self.sessions = Sessions() if sessions is None else sessions
        self._guard = nullcontext() if guard is None else guard
        self.columns = Columns()
        self.features: dict[str, Handler] = {}
        self.options: dict[str, Any] = {}
        self._documents: dict[str, Document] = {}
        """Texts that the client has open, by path."""
        self._edited: dict[str, None] = {}
        """Paths of documents whose text has not been read yet."""
        self._published: dict[str, list[types.Diagnostic]] = {}
        self._failures = 0
        self._initialized = self._shut_down = False
        self._wire: Wire | None = None

    def feature(self, method: str, options: Any = None) -> Callable[[Handler], Handler]:
        """Return a decorator that registers the handler of a method, with the options to announce."""

        def registered(handler: Handler) -> Handler:
            self.features[method] = handler
            self.options[method] = options
            return handler

        return registered

    # ── messages ──────────────────────────────────────────────────────────────────────────────

    def start_io(self) -> int:
        """Serve standard input and output until the client ends it; return the exit code."""
        stdin = open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)  # noqa: SIM115
        return self.serve(stdin.read, sys.stdout.buffer)

    def serve(self, read: Callable[[int], bytes], out: BinaryIO) -> int:
        """Answer the messages of a stream until it ends; return the exit code."""
        came: Queue[bytes | Broken | None] = Queue()

        def listen() -> None:
            for frame in frames(read):
                came.put(frame)
            came.put(None)

        Thread(target=listen, daemon=True).start()
        return self.run(came, framing(out))

    def run(self, came: Queue[bytes | Broken | None], send: Send) -> int:
        """Answer messages until None comes, or the client ends it; return the exit code."""
        self._wire = Wire(send)
        while True:
            try:
                frame = came.get(timeout=PAUSE if self._edited else None)
            except Empty:
                with self._guard:
                    self.settle()
                continue
            if frame is None:
                return 0
            if isinstance(frame, Broken):
                self._wire.fail(None, types.ErrorCodes.ParseError.value, frame.why)
                continue
            try:
                message = read_message(frame)
            except RequestFailed as error:
                self._wire.fail(None, error.code, str(error))
                continue
            if message.get("method") == types.EXIT:
                return 0 if self._shut_down else 1
            with self._guard:
                self.handle(message)

    def handle(self, message: dict[str, Any]) -> None:
        """Answer a request, or handle a notification."""
        assert self._wire is not None
        method, number = message.get("method"), message.get("id")
        if method is None and ("result" in message or "error" in message):
            return  # an answer; this server sends no requests
        asked = "id" in message
        request_id = number if isinstance(number, int | str) and not isinstance(number, bool) else None
        try:
            if not isinstance(method, str) or message.get("jsonrpc") != "2.0" or (asked and request_id is None):
                raise RequestFailed(
                    "A message needs `jsonrpc` 2.0, a `method`, and an `id` that is a number or a string.",
                    INVALID_REQUEST,
                )
            result = self._result(method, message.get("params"), asked)
            if request_id is not None:
                self._wire.answer(method, request_id, result)
        except RequestFailed as error:
            if asked or not isinstance(method, str):
                self._wire.fail(request_id, error.code, str(error))
            elif self._initialized:
                self.log(str(error))
        except BrokenPipeError:
            raise
        except Exception as bug:
            note = self.report(bug)
            if asked:
                self._wire.fail(request_id, types.ErrorCodes.InternalError.value, note)

    def _result(self, method: str, given: object, asked: bool) -> Any:
        """Return the answer to a message. Raise RequestFailed if it can't be answered."""
        if method == types.INITIALIZE and not self._initialized and asked:
            return self._initialize(self._params(method, given))
        if not self._initialized:
            raise RequestFailed("The server is not initialized.", types.ErrorCodes.ServerNotInitialized.value)
        if self._shut_down or method == types.INITIALIZE:
            raise RequestFailed(
                f"{method} can not follow here: only `exit` follows `shutdown`, and `initialize` comes once.",
                INVALID_REQUEST,
            )
        if method == types.SHUTDOWN:
            self._shut_down = True
            return None
        handler = self.features.get(method)
        if handler is None:
            if asked:
                raise RequestFailed(f"There is no method {method}.", types.ErrorCodes.MethodNotFound.value)
            return None
        return handler(self._params(method, given))

    def _params(self, method: str, given: object) -> Any:
        assert self._wire is not None
        return self._wire.params(method, given)

    def _initialize(self, params: types.InitializeParams) -> types.InitializeResult:
        general = params.capabilities.general
        offered = general.position_encodings if general is not None else None
        self.columns = Columns(chosen_encoding(offered or ()))
        self._initialized = True
        return types.InitializeResult(self._capabilities(), types.ServerInfo("fcb", __version__))

    def _capabilities(self) -> types.ServerCapabilities:
        """Return the announced capabilities: a provider of each feature, with its options."""
        offered: dict[str, Any] = {
            name: self.options[method] or True for method, name in _PROVIDERS.items() if method in self.features
        }
        return types.ServerCapabilities(
            position_encoding=types.PositionEncodingKind(self.columns.encoding),
            text_document_sync=types.TextDocumentSyncOptions(
                open_close=True, change=types.TextDocumentSyncKind.Incremental
            ),
            **offered,
        )

    def log(self, message: str) -> None:
        """Write a warning into the client's log."""
        assert self._wire is not None
        self._wire.notify(types.WINDOW_LOG_MESSAGE, types.LogMessageParams(types.MessageType.Warning, message))

    def inform(self, message: str) -> None:
        """Show a message to the user."""
        assert self._wire is not None
        self._wire.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(types.MessageType.Info, message))

    def report(self, bug: Exception) -> str:
        """Show an internal error to the user, the first few times; return its message."""
        assert self._wire is not None
        message = (
            f"fcb: internal error: {type(bug).__name__}: {bug}\n"
            "This is a bug in fcb, not in your files. FCB_TRACEBACK=1 shows where."
        )
        self._failures += 1
        if self._failures <= _MOST_FAILURES:
            self._wire.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(types.MessageType.Error, message))
            if os.environ.get("FCB_TRACEBACK"):
                traceback.print_exception(bug)
        return message

    # ── texts ─────────────────────────────────────────────────────────────────────────────────

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Store the text of a document that the client has opened."""
        item = params.text_document
        path = path_of(item.uri)
        if path is not None:
            self._documents[path] = Document(item.uri, well_formed(item.text), item.version)
            self._edited[path] = None

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Change the text of a document. Raise RequestFailed if it is not open."""
        path = path_of(params.text_document.uri)
        if path is None:
            return
        document = self._documents.get(path)
        if document is None:
            raise RequestFailed(f"{params.text_document.uri} was changed, but it is not open.")
        for change in params.content_changes:
            document.change(change, self.columns)
        document.version = params.text_document.version
        self._edited[path] = None

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Remove the text of a document: the file on the disk counts again."""
        path = path_of(params.text_document.uri)
        if path is not None and self._documents.pop(path, None) is not None:
            self._edited[path] = None

    def settle(self) -> None:
        """Read the edited texts and publish their problems."""
        paths = list(self._edited)
        self._edited.clear()
        for path in paths:
            document = self._documents.get(path)
            name = shown_name(Path(path))
            try:
                self.sessions.of(Path(path))
                for session in self.sessions:
                    if name in session.space.files:
                        session.change(name, document.text if document is not None else None)
            except NotOpened as error:
                self.log(str(error))
            except Exception as bug:
                self.report(bug)
        if paths:
            self.publish()

    def refresh(self) -> None:
        """Read the files on the disk again and publish their problems."""
        self.settle()
        for session in self.sessions:
            try:
                session.refresh()
            except NotOpened as error:
                self.log(str(error))
        self.publish()

    def close(self) -> None:
        """Forget all texts of the client, so that another server can use the sessions."""
        for path in list(self._documents):
            del self._documents[path]
            self._edited[path] = None
        for path in list(self._edited):
            for session in self.sessions:
                session.change(shown_name(Path(path)), None)
        self._edited.clear()

    def publish(self) -> None:
        """Publish the problems of the files whose problems have changed."""
        assert self._wire is not None
        opened = self._by_name()
        by_file: dict[str, list[types.Diagnostic]] = {}
        for session in self.sessions:
            for name, problems in session.problems().items():
                diagnostics = by_file.setdefault(name, [])
                diagnostics += [
                    problem
                    for problem in (self._diagnostic(session, problem) for problem in problems)
                    if problem not in diagnostics
                ]
        for name, problems_there in by_file.items():
            document = opened.get(name)
            uri = document.uri if document is not None else self.uri(name)
            if self._published.get(uri, []) != problems_there:
                self._published[uri] = problems_there
                self._wire.notify(
                    types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS,
                    types.PublishDiagnosticsParams(uri, problems_there, document.version if document else None),
                )

    # ── places ────────────────────────────────────────────────────────────────────────────────

    def session(self, uri: str) -> tuple[EditorSession, str]:
        """Return the session of a document in its present state, and the document's name in it. Raise RequestFailed if
        there is none."""
        self.settle()
        path = path_of(uri)
        if path is None:
            raise RequestFailed(f"{uri} is not a file on this machine.")
        try:
            session = self.sessions.of(Path(path))
        except NotOpened as error:
            raise RequestFailed(str(error)) from error
        name = shown_name(Path(path))
        if name not in session.space.files:
            raise RequestFailed(f"{name} does not belong to its project: no folder in `paths` of fcb.toml contains it.")
        return session, name

    def at(self, params: Any) -> tuple[EditorSession, str, int, int]:
        """Return the project, the file, its line (from 1) and column (from 0, in characters) of a request."""
        session, name = self.session(params.text_document.uri)
        rows = session.space.text(name).split("\n")
        line = min(params.position.line, len(rows) - 1)
        beyond = params.position.line >= len(rows)
        column = len(rows[line]) if beyond else self.columns.to_characters(rows[line], params.position.character)
        return session, name, line + 1, column

    def range(self, rows: Sequence[str], corners: Rows) -> types.Range:
        """Return a range of a text, in the units of the client."""
        first, start, last, end = corners

        def position(line: int, column: int) -> types.Position:
            return types.Position(line, self.columns.to_units(rows[line] if line < len(rows) else "", column))

        return types.Range(position(first, start), position(last, end))

    def location(self, session: EditorSession, span: Span) -> types.Location:
        """Return the place of a span."""
        name = span.source.name
        return types.Location(self.uri(name), self.range(_rows(session, span), in_file(span)))

    def uri(self, name: str) -> str:
        """Return the URI of a file: the client's own if it has the file open."""
        document = self._by_name().get(name)
        return document.uri if document is not None else uri_of(str(Path(name).absolute()))

    def _by_name(self) -> dict[str, Document]:
        return {shown_name(Path(path)): document for path, document in self._documents.items()}

    def _diagnostic(self, session: EditorSession, problem: Diagnostic) -> types.Diagnostic:
        error, warning = types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning
        return types.Diagnostic(
            range=self.range(_rows(session, problem.span), in_file(problem.span)),
            message="\n".join(filter(None, (problem.message, problem.advice, *problem.notes))),
            severity=error if problem.severity == "error" else warning,
            code=problem.code,
            source="fcb",
            related_information=[
                types.DiagnosticRelatedInformation(self.location(session, other.span), other.label)
                for other in problem.related
            ],
        )

    def edits(self, session: EditorSession, edits: Sequence[refactoring.RowEdit]) -> types.WorkspaceEdit:
        """Return edits of texts, by file."""
        changes: dict[str, list[types.TextEdit]] = {}
        for edit in edits:
            rows = session.space.text(edit.name).split("\n")
            changes.setdefault(self.uri(edit.name), []).append(types.TextEdit(self.range(rows, edit.range), edit.text))
        return types.WorkspaceEdit(changes=changes)


def _rows(session: EditorSession, span: Span) -> list[str]:
    """Return the rows of the file that contains a span."""
    name = span.source.name
    text = session.space.text(name) if name in session.space.files else span.source.text
    return text.split("\n")


def _kind(symbol: DeclaredName) -> types.SymbolKind:
    return _SYMBOLS.get(symbol.sort, types.SymbolKind.Constant)


# ── the protocol ───────────────────────────────────────────────────────────────────────────────


def make_server(sessions: Sessions | None = None, guard: AbstractContextManager[object] | None = None) -> FcbServer:
    """Return a server with all features, not yet started. The arguments are those of `FcbServer`."""
    server = FcbServer(sessions, guard)
    for group in (_texts, _symbols, _writing, _changes, _looks):
        group(server)
    return server


def _texts(server: FcbServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(server.opened)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(server.changed)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(server.closed)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def moved(params: types.DidChangeWatchedFilesParams) -> None:
        server.refresh()


def _symbols(server: FcbServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        session, name, line, column = server.at(params)
        symbol = session.names.at(name, line, column + 1)
        return server.location(session, symbol.span) if symbol is not None and symbol.span.source.text else None

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        session, name, line, column = server.at(params)
        symbol = session.names.at(name, line, column + 1)
        spans = session.names.references(symbol) if symbol is not None else []
        if symbol is not None and not params.context.include_declaration:
            spans = [span for span in spans if not symbol.span.holds(span)]
        return [server.location(session, span) for span in spans]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        session, name, line, column = server.at(params)
        symbol = session.names.at(name, line, column + 1)
        spans = session.names.references(symbol) if symbol is not None else []
        here = [span for span in spans if span.source.name == name]
        return [types.DocumentHighlight(server.location(session, span).range) for span in here]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        session, name, line, column = server.at(params)
        hover = knowing.hover(session.names, name, line, column + 1)
        if hover is None:
            return None
        text = types.MarkupContent(types.MarkupKind.Markdown, hover.markdown)
        return types.Hover(text, server.location(session, hover.span).range)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        session, name = server.session(params.text_document.uri)
        rows = session.space.text(name).split("\n")
        return [_outlined(server, rows, outlined) for outlined in structure.outline(session.space.tree(name))]

    @server.feature(types.WORKSPACE_SYMBOL)
    def everywhere(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        server.settle()
        asked = params.query.lower()
        return [
            types.WorkspaceSymbol(
                server.location(session, symbol.span), symbol.name, _kind(symbol), container_name=symbol_summary(symbol)
            )
            for session in server.sessions
            for symbol in session.names.symbols.values()
            if symbol.sort != "parameter"
            and asked in symbol.name.lower()
            and symbol.span.source.name in session.space.files
        ][:MOST_FOUND]


def _outlined(server: FcbServer, rows: Sequence[str], outlined: structure.Outlined) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=outlined.name,
        detail=f"{outlined.sort} {outlined.title}".strip(),
        kind=_SYMBOLS.get(outlined.sort, types.SymbolKind.Constant),
        range=server.range(rows, (outlined.first, 0, outlined.last, len(rows[outlined.last]))),
        selection_range=server.range(rows, in_file(outlined.span)),
        children=[_outlined(server, rows, each) for each in outlined.children],
    )


def _writing(server: FcbServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" ", ":", "'", "#"]))
    def complete(params: types.CompletionParams) -> types.CompletionList:
        session, name, line, column = server.at(params)
        proposed = completion.complete(session.space, name, line, column)
        rows = session.space.text(name).split("\n")
        where = server.range(rows, (line - 1, proposed.start, line - 1, column))
        items = [
            types.CompletionItem(
                label=proposal.text,
                kind=_PROPOSALS.get(proposal.sort, types.CompletionItemKind.Value),
                detail=proposal.detail or proposal.sort,
                documentation=proposal.title or None,
                sort_text=f"{at:04}",
                text_edit=types.TextEdit(where, proposal.text),
            )
            for at, proposal in enumerate(proposed.proposals)
        ]
        return types.CompletionList(is_incomplete=not proposed.whole, items=items)

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=[" "]))
    def signature(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        session, name, line, column = server.at(params)
        call = knowing.signature_at(session.space, session.space.text(name).split("\n")[line - 1][:column])
        if call is None:
            return None
        signature = types.SignatureInformation(
            call.label, parameters=[types.ParameterInformation(p) for p in call.parameters]
        )
        return types.SignatureHelp([signature], active_signature=0, active_parameter=call.active)


def _changes(server: FcbServer) -> None:
    def refused(answer: Callable[[], Any]) -> Any:
        try:
            return answer()
        except refactoring.CannotRename as error:
            raise RequestFailed(str(error)) from error

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
        session, name, line, column = server.at(params)
        symbol, span = refused(lambda: refactoring.renameable(session.names, name, line, column + 1))
        return types.PrepareRenamePlaceholder(server.location(session, span).range, symbol.name)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(params: types.RenameParams) -> types.WorkspaceEdit:
        session, name, line, column = server.at(params)
        symbol, _ = refused(lambda: refactoring.renameable(session.names, name, line, column + 1))
        edits = refused(lambda: refactoring.rename(session.names, name, line, column + 1, params.new_name))
        if edits and symbol.sort == "definition":
            server.inform(f"Campaigns and logs that you saved keep the old name `{symbol.name}`.")
        return server.edits(session, edits)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    def cure(params: types.CodeActionParams) -> list[types.CodeAction]:
        session, name = server.session(params.text_document.uri)
        first, last = params.range.start.line, params.range.end.line
        return [
            types.CodeAction(
                title=cure.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[server._diagnostic(session, cure.problem)],
                edit=server.edits(session, [cure.edit]),
                is_preferred=True,
            )
            for cure in refactoring.cures(session.space.problems(name))
            if in_file(cure.problem.span)[0] <= last and in_file(cure.problem.span)[2] >= first
        ]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def layout(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        session, name = server.session(params.text_document.uri)
        text = session.space.text(name)
        after = refactoring.layout(name, text)
        if after is None:
            raise RequestFailed(f"{name} has mistakes in its lines: it is laid out when these are mended.")
        rows = text.split("\n")
        whole = server.range(rows, (0, 0, len(rows) - 1, len(rows[-1])))
        return [types.TextEdit(whole, after)] if after != text else []


def _looks(server: FcbServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        session, name = server.session(params.text_document.uri)
        ranges = structure.folds(session.space.tree(name))
        return [types.FoldingRange(first, last, kind=kind) for first, last, kind in ranges]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkOptions())
    def links(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        session, name = server.session(params.text_document.uri)
        return [
            types.DocumentLink(server.location(session, span).range, target=server.uri(str(path)))
            for span, path in structure.links(session.space, name)
        ]

    @server.feature(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        types.SemanticTokensOptions(
            types.SemanticTokensLegend(list(_TOKENS), [types.SemanticTokenModifiers.Declaration.value]), full=True
        ),
    )
    def tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        session, name = server.session(params.text_document.uri)
        rows = session.space.text(name).split("\n")
        data: list[int] = []
        before = types.Position(0, 0)
        for row, column, length, sort, declared in structure.tokens(session.names, name):
            there = server.range(rows, (row, column, row, column + length))
            start = there.start
            same = start.line == before.line
            data += [
                start.line - before.line,
                start.character - before.character if same else start.character,
                there.end.character - start.character,
                _TOKENS.index(sort),
                int(declared),
            ]
            before = start
        return types.SemanticTokens(data)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        session, name = server.session(params.text_document.uri)
        rows = session.space.text(name).split("\n")
        labels = structure.hints(session.names, name, params.range.start.line, params.range.end.line)
        return [
            types.InlayHint(
                server.range(rows, (row, column, row, column)).start,
                f"{text}:",
                kind=types.InlayHintKind.Parameter,
                padding_right=True,
            )
            for row, column, text in labels
        ]
