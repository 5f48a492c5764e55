"""The language server: a thin shell around what this room knows, spoken over standard input and output.

One thing at a time, and the newest text wins: an edit is read when no other has come for a moment, or when a request
needs it. Columns are in the units that the client has asked for (UTF-16 unless both sides speak another).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from fcbdsl import __version__
from fcbdsl.diagnostics.base import Diagnostic
from fcbdsl.editor import changing, completing, knowing, structure
from fcbdsl.editor.names import DeclaredName, summary
from fcbdsl.editor.sessions import EditorSession, NotOpened, Sessions
from fcbdsl.editor.words import in_file
from fcbdsl.project import shown_name
from fcbdsl.source import Span

PAUSE = 0.02
"""Seconds without another edit after which problems are looked for."""
MOST_FOUND = 500
"""Symbols of one answer."""
_MOST_FAILURES = 20
"""Failures of ours that are told in one session; more of them would bury the work."""

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


class FcbServer(LanguageServer):
    """A server with the projects that it has open."""

    def __init__(self) -> None:
        super().__init__("fcb", __version__)
        self.sessions = Sessions()
        self._edited: dict[str, None] = {}  # documents whose text has not been read yet
        self._waiting: asyncio.TimerHandle | None = None
        self._published: dict[str, list[types.Diagnostic]] = {}
        self._failures = 0

    # ── texts ─────────────────────────────────────────────────────────────────────────────────

    def edited(self, uri: str) -> None:
        """Take note that a document has another text; it is read after a pause."""
        self._edited[uri] = None
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().call_later(PAUSE, self.settle)

    def settle(self) -> None:
        """Read what has been edited, and tell what is wrong."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        uris = list(self._edited)
        self._edited.clear()
        for uri in uris:
            path = _path(uri)
            if path is None:
                continue
            document = self.workspace.text_documents.get(uri)
            try:
                self.sessions.of(path)
                for session in self.sessions:
                    if shown_name(path) in session.space.files:
                        session.change(shown_name(path), document.source if document is not None else None)
            except NotOpened as trouble:
                self.window_log_message(types.LogMessageParams(types.MessageType.Warning, str(trouble)))
            except Exception as bug:
                self.report_server_error(bug, JsonRpcException)
        if uris:
            self.publish()

    def publish(self) -> None:
        """Tell the client what is wrong with files of which something else was told before."""
        found: dict[str, list[types.Diagnostic]] = {}
        for session in self.sessions:
            for name, problems in session.problems().items():
                known = found.setdefault(self.uri(name), [])
                known += [one for one in (self._diagnostic(session, each) for each in problems) if one not in known]
        for uri, problems_there in found.items():
            if self._published.get(uri, []) != problems_there:
                self._published[uri] = problems_there
                document = self.workspace.text_documents.get(uri)
                self.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(uri, problems_there, document.version if document else None)
                )

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Say what failed, with how to tell us; not again and again."""
        self._failures += 1
        if self._failures <= _MOST_FAILURES:
            super().report_server_error(error, source)

    # ── places ────────────────────────────────────────────────────────────────────────────────

    def session(self, uri: str) -> tuple[EditorSession, str]:
        """The project of a document as it is now, and the document's name there. Raises JsonRpcException."""
        self.settle()
        path = _path(uri)
        try:
            if path is None:
                raise NotOpened(f"{uri} is no file.")
            session = self.sessions.of(path)
        except NotOpened as trouble:
            raise _failed(str(trouble)) from trouble
        name = shown_name(path)
        if name not in session.space.files:
            raise _failed(f"{name} is no part of its project: its folder is not among those that fcb.toml names.")
        return session, name

    def at(self, params: Any) -> tuple[EditorSession, str, int, int]:
        """The project, the file, its line (from 1) and column (from 0, in characters) of a request."""
        session, name = self.session(params.text_document.uri)
        rows = session.space.text(name).split("\n")
        place = self.workspace.position_codec.position_from_client_units(rows, params.position)
        return session, name, place.line + 1, place.character

    def range(self, rows: Sequence[str], found: Rows) -> types.Range:
        """A range of a text, in the units of the client."""
        first, start, last, end = found
        plain = types.Range(types.Position(first, start), types.Position(last, end))
        return self.workspace.position_codec.range_to_client_units([*rows, ""], plain)

    def location(self, session: EditorSession, span: Span) -> types.Location:
        """Where a span lies."""
        name = span.source.name
        return types.Location(self.uri(name), self.range(_rows(session, span), in_file(span)))

    def uri(self, name: str) -> str:
        """The address of a file."""
        return from_fs_path(str(Path(name).absolute())) or name

    def _diagnostic(self, session: EditorSession, one: Diagnostic) -> types.Diagnostic:
        error, warning = types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning
        return types.Diagnostic(
            range=self.range(_rows(session, one.span), in_file(one.span)),
            message="\n".join(filter(None, (one.message, one.advice, *one.notes))),
            severity=error if one.severity == "error" else warning,
            code=one.code,
            source="fcb",
            related_information=[
                types.DiagnosticRelatedInformation(self.location(session, other.span), other.label)
                for other in one.related
            ],
        )

    def edits(self, session: EditorSession, found: Sequence[changing.RowEdit]) -> types.WorkspaceEdit:
        """Changes of texts, by file."""
        changes: dict[str, list[types.TextEdit]] = {}
        for one in found:
            rows = session.space.text(one.name).split("\n")
            changes.setdefault(self.uri(one.name), []).append(types.TextEdit(self.range(rows, one.range), one.text))
        return types.WorkspaceEdit(changes=changes)


def _path(uri: str) -> Path | None:
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path else None


def _rows(session: EditorSession, span: Span) -> list[str]:
    """The rows of the file in which a span lies."""
    name = span.source.name
    text = session.space.text(name) if name in session.space.files else span.source.text
    return text.split("\n")


def _failed(message: str) -> JsonRpcException:
    return JsonRpcException(message, types.LSPErrorCodes.RequestFailed.value)


def _kind(symbol: DeclaredName) -> types.SymbolKind:
    return _SYMBOLS.get(symbol.sort, types.SymbolKind.Constant)


# ── the protocol ───────────────────────────────────────────────────────────────────────────────


def make_server() -> FcbServer:
    """A server that answers, not yet started."""
    server = FcbServer()
    for group in (_texts, _symbols, _writing, _changes, _looks):
        group(server)
    return server


def _texts(server: FcbServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.edited(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.edited(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.edited(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def moved(params: types.DidChangeWatchedFilesParams) -> None:
        server.settle()
        for session in server.sessions:
            try:
                session.refresh()
            except NotOpened as trouble:
                server.window_log_message(types.LogMessageParams(types.MessageType.Warning, str(trouble)))
        server.publish()


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
        found = session.names.references(symbol) if symbol is not None else []
        if symbol is not None and not params.context.include_declaration:
            found = [span for span in found if not symbol.span.holds(span)]
        return [server.location(session, span) for span in found]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        session, name, line, column = server.at(params)
        symbol = session.names.at(name, line, column + 1)
        found = session.names.references(symbol) if symbol is not None else []
        here = [span for span in found if span.source.name == name]
        return [types.DocumentHighlight(server.location(session, span).range) for span in here]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        session, name, line, column = server.at(params)
        found = knowing.hover(session.names, name, line, column + 1)
        if found is None:
            return None
        text = types.MarkupContent(types.MarkupKind.Markdown, found.markdown)
        return types.Hover(text, server.location(session, found.span).range)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        session, name = server.session(params.text_document.uri)
        rows = session.space.text(name).split("\n")
        return [_outlined(server, rows, one) for one in structure.outline(session.space.tree(name))]

    @server.feature(types.WORKSPACE_SYMBOL)
    def everywhere(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        server.settle()
        asked = params.query.lower()
        return [
            types.WorkspaceSymbol(server.location(session, one.span), one.name, _kind(one), container_name=summary(one))
            for session in server.sessions
            for one in session.names.symbols.values()
            if one.sort != "parameter" and asked in one.name.lower() and one.span.source.name in session.space.files
        ][:MOST_FOUND]


def _outlined(server: FcbServer, rows: Sequence[str], one: structure.Outlined) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=one.name,
        detail=f"{one.sort} {one.title}".strip(),
        kind=_SYMBOLS.get(one.sort, types.SymbolKind.Constant),
        range=server.range(rows, (one.first, 0, one.last, len(rows[one.last]))),
        selection_range=server.range(rows, in_file(one.span)),
        children=[_outlined(server, rows, each) for each in one.children],
    )


def _writing(server: FcbServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" ", ":", "'", "#"]))
    def complete(params: types.CompletionParams) -> types.CompletionList:
        session, name, line, column = server.at(params)
        found = completing.complete(session.space, name, line, column)
        rows = session.space.text(name).split("\n")
        where = server.range(rows, (line - 1, found.start, line - 1, column))
        items = [
            types.CompletionItem(
                label=one.text,
                kind=_PROPOSALS.get(one.sort, types.CompletionItemKind.Value),
                detail=one.detail or one.sort,
                documentation=one.title or None,
                sort_text=f"{at:04}",
                text_edit=types.TextEdit(where, one.text),
            )
            for at, one in enumerate(found.proposals)
        ]
        return types.CompletionList(is_incomplete=not found.whole, items=items)

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=[" "]))
    def signature(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        session, name, line, column = server.at(params)
        found = knowing.signature(session.space, session.space.text(name).split("\n")[line - 1][:column])
        if found is None:
            return None
        told = types.SignatureInformation(
            found.label, parameters=[types.ParameterInformation(p) for p in found.parameters]
        )
        return types.SignatureHelp([told], active_signature=0, active_parameter=found.active)


def _changes(server: FcbServer) -> None:
    def refused(answer: Callable[[], Any]) -> Any:
        try:
            return answer()
        except changing.CannotRename as why:
            raise _failed(str(why)) from why

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
        session, name, line, column = server.at(params)
        symbol, span = refused(lambda: changing.renameable(session.names, name, line, column + 1))
        return types.PrepareRenamePlaceholder(server.location(session, span).range, symbol.name)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(params: types.RenameParams) -> types.WorkspaceEdit:
        session, name, line, column = server.at(params)
        return server.edits(
            session, refused(lambda: changing.rename(session.names, name, line, column + 1, params.new_name))
        )

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    def cure(params: types.CodeActionParams) -> list[types.CodeAction]:
        session, name = server.session(params.text_document.uri)
        first, last = params.range.start.line, params.range.end.line
        return [
            types.CodeAction(
                title=one.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[server._diagnostic(session, one.problem)],
                edit=server.edits(session, [one.edit]),
                is_preferred=True,
            )
            for one in changing.cures(session.space.problems(name))
            if in_file(one.problem.span)[0] <= last and in_file(one.problem.span)[2] >= first
        ]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def layout(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        session, name = server.session(params.text_document.uri)
        text = session.space.text(name)
        after = changing.layout(name, text)
        if after is None:
            raise _failed(f"{name} has mistakes in its lines: it is laid out when these are mended.")
        rows = text.split("\n")
        whole = server.range(rows, (0, 0, len(rows) - 1, len(rows[-1])))
        return [types.TextEdit(whole, after)] if after != text else []


def _looks(server: FcbServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        session, name = server.session(params.text_document.uri)
        found = structure.folds(session.space.tree(name))
        return [types.FoldingRange(first, last, kind=kind) for first, last, kind in found]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def links(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        session, name = server.session(params.text_document.uri)
        return [
            types.DocumentLink(server.location(session, span).range, target=server.uri(str(path)))
            for span, path in structure.links(session.space, name)
        ]

    @server.feature(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        types.SemanticTokensLegend(list(_TOKENS), [types.SemanticTokenModifiers.Declaration.value]),
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
        found = structure.hints(session.names, name, params.range.start.line, params.range.end.line)
        return [
            types.InlayHint(
                server.range(rows, (row, column, row, column)).start,
                f"{text}:",
                kind=types.InlayHintKind.Parameter,
                padding_right=True,
            )
            for row, column, text in found
        ]
