// Starts `fcb lsp` for .fcb files and hands on what it says.
const { commands, workspace, window } = require("vscode");
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
  context.subscriptions.push(commands.registerCommand("fcbdsl.live", () => serve(command)));
  try {
    await client.start();
  } catch (trouble) {
    window.showErrorMessage(
      `fcbdsl: ${[command, ...args].join(" ")} could not be started (${trouble.message}). ` +
        `Install it with: pip install 'fcbdsl[editor]', or set fcbdsl.command.`
    );
  }
}

// Opens what is being written in the browser: the command that serves the editor does that, too.
function serve(command) {
  const name = "fcb serve";
  const running = window.terminals.find((one) => one.name === name && one.exitStatus === undefined);
  const terminal = running ?? window.createTerminal({ name, shellPath: command, shellArgs: ["serve", "--open"] });
  terminal.show(true);
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
