// @ts-check
// In a shared file: unpacks its parts, starts the game in a worker, and is the connection of the table to it.
globalThis.fcbAlone = (() => {
  /** A part is in the page, or a file beside it. */
  async function part(name) {
    const held = document.getElementById("part-" + name);
    if (held) return Uint8Array.from(atob(held.textContent), one => one.charCodeAt(0));
    const answer = await fetch(`parts/${name}.bin`);
    if (!answer.ok) throw new Error(`parts/${name}.bin: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
  async function unpacked(name) {
    const packed = await part(name);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }
  const data = async name => JSON.parse(new TextDecoder().decode(await unpacked(name)));
  const PARTS = ["settings", "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip", "fcb.zip", "program"];
  const stored = (name, value) => { try { if (value !== undefined) localStorage.setItem(name, value); return localStorage.getItem(name) || ""; } catch { return ""; } };

  /** Looks like a websocket. */
  class Link extends EventTarget {
    readyState = 0;
    send(text) { this.worker.postMessage({ say: text }); }
    fresh() { this.worker.postMessage({ fresh: true }); }
    save() { this.worker.postMessage({ log: true }); }
    async start(language) {
      const { plan, seal } = await data("settings");
      const name = `fcb-game-${plan.mission}-${seal.slice(0, 16)}`;
      const code = btoa(Array.from(await unpacked("worker"), one => String.fromCharCode(one)).join(""));
      // Chromium starts a module worker of a file only from a data address.
      this.worker = new Worker("data:text/javascript;base64," + code, { type: "module" });
      this.worker.onerror = event => this.fail(event.message || "worker");
      this.worker.onmessage = ({ data: { messages, saved, log, trouble } }) => {
        if (trouble) return this.fail(trouble);
        if (log) return download(plan.mission + ".log.json", log);
        stored(name, saved);
        this.readyState = 1;
        for (const message of JSON.parse(messages)) this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
      };
      const parts = Object.fromEntries(await Promise.all(PARTS.map(async one => [one, await unpacked(one)])));
      this.worker.postMessage({ parts, saved: stored(name), language });
    }
    fail(trouble) {
      console.error(trouble);
      this.readyState = 3;
      this.trouble = trouble.trim().split("\n").pop();
      this.worker?.terminate();
      this.dispatchEvent(new Event("close"));
    }
  }
  function download(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }
  return {
    open(language) {
      const link = new Link();
      link.start(language).catch(trouble => link.fail(String(trouble)));
      return link;
    },
    dressing: name => data("dressing-" + name),
  };
})();
