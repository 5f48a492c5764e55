// Starts `fcb lsp` for .fcb files and connects it to the editor.
const { execFile } = require("child_process");
const { existsSync } = require("fs");
const { join } = require("path");
const { commands, window, workspace } = require("vscode");
const { LanguageClient, State } = require("vscode-languageclient/node");

const SETTING = "fcbdsl.command";
const SERVER = "lsp";
const INSTALLED = process.platform === "win32" ? join("Scripts", "fcb.exe") : join("bin", "fcb");

const WHEEL = "fcbdsl-0.3.0-py3-none-any.whl"; // of the release
const INSTALL =
  `To install it, type in the folder of the release: pipx install "./${WHEEL}[editor,live]". ` +
  "More: https://github.com/fcbdsl/fcbdsl/blob/main/docs/install.md";

let client;

async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("fcbdsl.editor.live", serve),
    commands.registerCommand("fcbdsl.restart", restart),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration(SETTING) && restart())
  );
  await start();
}

function folder() {
  return workspace.workspaceFolders?.[0]?.uri.fsPath;
}

// Returns the command for fcb: the setting, else fcb of the project's environment, else `fcb`.
function called() {
  const words = workspace.getConfiguration().get(SETTING);
  const name = words.at(-1) === SERVER ? words.slice(0, -1) : words;
  if (name.length !== 1 || name[0] !== "fcb" || !folder()) return name;
  const own = [".venv", "venv"].map((one) => join(folder(), one, INSTALLED)).find(existsSync);
  return own ? [own] : name;
}

// A client that shows no message of its own when the server is missing: `complain` shows one with a way out.
class Client extends LanguageClient {
  error(message, data, shown) {
    super.error(message, data, shown === "force" && this.state === State.Running ? shown : false);
  }
}

async function start() {
  const [command, ...args] = [...called(), SERVER];
  client = new Client("fcbdsl", "fcbdsl", { command, args, options: { cwd: folder() } }, {
    documentSelector: [{ scheme: "file", language: "fcb" }],
    initializationFailedHandler: () => false,
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/{*.fcb,fcb.toml}") },
  });
  try {
    await client.start();
  } catch {
    client = undefined;
    complain(await whyNot(command, args));
  }
}

async function restart() {
  const before = client;
  client = undefined;
  await before?.stop();
  await start();
}

// Returns the reason why the server does not start: runs it once with empty input and reads its error.
function whyNot(command, args) {
  return new Promise((done) => {
    const child = execFile(command, args, { cwd: folder() }, (trouble, out, said) => {
      if (trouble?.code === "ENOENT") done(`${command} was not found. ${INSTALL}`);
      else done(said.trim().split("\n").at(-1) || trouble?.message || "The server has ended.");
    });
    child.stdin?.on("error", () => {}).end();
  });
}

function complain(trouble) {
  // activation does not wait until the message has been read
  window.showErrorMessage(`fcb: ${trouble}`, "Set the path of fcb", "Try again").then((answer) => {
    if (answer === "Set the path of fcb") commands.executeCommand("workbench.action.openSettings", SETTING);
    if (answer === "Try again") restart();
  });
}

// Opens the live preview: `fcb serve --open` in a terminal.
function serve() {
  const name = "fcb serve";
  const [shellPath, ...args] = called();
  const running = window.terminals.find((one) => one.name === name && one.exitStatus === undefined);
  const terminal = running ?? window.createTerminal({ name, shellPath, shellArgs: [...args, "serve", "--open"] });
  terminal.show(true);
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
