// Starts `fcb lsp` for .fcb files and hands on what it says.
const { workspace, window } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate(context) {
  const [command, ...args] = workspace.getConfiguration("fcbdsl").get("command");
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const server = { command, args, options: folder ? { cwd: folder } : {} };
  client = new LanguageClient("fcbdsl", "fcbdsl", server, {
    documentSelector: [{ scheme: "file", language: "fcb" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/{*.fcb,fcb.toml}") },
  });
  try {
    await client.start();
  } catch (trouble) {
    window.showErrorMessage(
      `fcbdsl: ${[command, ...args].join(" ")} could not be started (${trouble.message}). ` +
        `Install it with: pip install 'fcbdsl[editor]', or set fcbdsl.command.`
    );
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
