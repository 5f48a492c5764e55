// Runs fcb in Pyodide: node in_pyodide.mjs JOB, a JSON object with
//   pyodide: the file pyodide.mjs; mounts: {folder seen by Python: real folder}; path: what joins sys.path;
//   folder: where commands run; env: variables; commands: lists of arguments of fcb.
// The last line that it prints is a JSON object with `python`, the version, and `done`, a list of [exit code, output].
const job = JSON.parse(process.argv[2]);
const { loadPyodide } = await import(job.pyodide);

const RUN = `
import contextlib, io, json, os, sys

def run(arguments):
    said = io.StringIO()
    sys.argv = ["fcb", *arguments]
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()) as errors:
        try:
            main()
        except SystemExit as ended:
            code = ended.code
    return code, said.getvalue(), errors.getvalue()

job = json.loads(job)
sys.dont_write_bytecode = True
sys.path[:0] = job["path"]
os.chdir(job["folder"])
from fcbdsl.cli.main import main
json.dumps({"python": list(sys.version_info[:3]), "done": [run(one) for one in job["commands"]]})
`;

try {
  const python = await loadPyodide({ env: job.env });
  for (const [seen, real] of Object.entries(job.mounts)) {
    python.FS.mkdirTree(seen);
    python.mountNodeFS(seen, real);
  }
  python.globals.set("job", process.argv[2]);
  console.log(python.runPython(RUN));
} catch (trouble) {
  console.error(String(trouble.message)); // with its stack, node would print all of Pyodide
  process.exit(1);
}
