// The parts of CodeMirror that the editor in the page uses.
export { acceptCompletion, autocompletion, completionKeymap } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
export { codeFolding, foldGutter, foldKeymap, foldService, indentService, indentUnit } from "@codemirror/language";
export { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers, showTooltip } from "@codemirror/view";
