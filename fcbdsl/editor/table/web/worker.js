// Plays the game of a shared file: starts Python in this worker, gives it the messages of the page, sends its answers.
// The page sends the parts of the file first. Nothing is loaded from a network: `fetch` knows only these parts.
const PACE = 350; // milliseconds before each decision of a bot, so that people can follow it
const START = `
import json, sys
sys.path.insert(0, "/site")
from fcbdsl.play.table.alone import open_table
settings = json.loads(settings)
table = open_table(settings["plan"], bytes(program.to_py()), settings["seal"])
`;
let table, waiting = false;

const tell = messages => postMessage({ messages, saved: table.saved() });
const lot = () => crypto.getRandomValues(new Uint32Array(1))[0];

async function start({ parts, saved, language }) {
  const text = name => new TextDecoder().decode(parts[name]);
  const script = name => import(URL.createObjectURL(new Blob([parts[name]], { type: "text/javascript" })));
  const types = { "pyodide.asm.wasm": "application/wasm", "python_stdlib.zip": "application/zip" };
  self.fetch = async address => {
    const name = String(address.url || address).split("/").pop();
    if (!(name in types)) throw new Error("This file opens no connections.");
    return new Response(parts[name], { headers: { "Content-Type": types[name] } });
  };
  const { loadPyodide } = await script("pyodide.mjs");
  const core = await script("pyodide.asm.mjs");
  const python = await loadPyodide({
    indexURL: "https://offline.invalid/",
    lockFileContents: text("pyodide-lock.json"),
    createPyodideModule: options => core.default({ ...options, wasmBinary: parts["pyodide.asm.wasm"] }),
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0", FCB_CACHE: "", FCB_STATE: "" },
  });
  python.unpackArchive(parts["fcb.zip"], "zip", { extractDir: "/site" });
  python.globals.set("settings", text("settings"));
  python.globals.set("program", parts["program"]);
  python.runPython(START);
  table = python.globals.get("table");
  tell(table.begin(lot(), saved, language));
}

/** Let bots decide until a person is asked. */
function goOn() {
  if (waiting || !table.moving()) return;
  waiting = true;
  setTimeout(() => attempt(() => { waiting = false; if (table.moving()) tell(table.step()); }), PACE);
}

async function attempt(work) {
  try {
    await work();
    goOn();
  } catch (trouble) {
    postMessage({ trouble: String(trouble) });
  }
}

onmessage = ({ data }) => attempt(async () => {
  if (data.parts) await start(data);
  else if (data.fresh) tell(table.begin(lot()));
  else if (data.log) postMessage({ log: table.log() });
  else tell(table.obey(data.say));
});
