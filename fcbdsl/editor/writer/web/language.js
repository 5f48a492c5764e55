// A client of the language server over a websocket. It connects again after each loss.
const CAPABILITIES = {
  general: { positionEncodings: ["utf-16"] },
  textDocument: {
    synchronization: {}, hover: { contentFormat: ["markdown"] }, completion: {}, formatting: {}, definition: {}, foldingRange: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
    publishDiagnostics: { versionSupport: true, relatedInformation: true },
    semanticTokens: { requests: { full: true }, formats: ["relative"], tokenTypes: [], tokenModifiers: [] },
  },
};
const AGAIN = 1500;
/** The code of a server that serves as many pages as it can. */
const FULL = 1013;
/** `heard`: functions by the method of a notification; `joined` runs after each connection, `left` after each loss, with whether the server is full. */
export class Language {
  constructor(heard, joined, left) {
    Object.assign(this, { heard, joined, left, number: 0, waiting: new Map(), tokens: [], ready: false });
    this.connect();
  }
  connect() {
    const socket = this.socket = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/write/language`);
    socket.addEventListener("open", async () => {
      const made = await this.ask("initialize", { processId: null, rootUri: null, capabilities: CAPABILITIES }).catch(() => null);
      if (!made || socket !== this.socket) return;
      this.tokens = made.capabilities.semanticTokensProvider?.legend.tokenTypes ?? [];
      this.tell("initialized", {});
      this.ready = true;
      this.joined();
    });
    socket.addEventListener("message", event => this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", ({ code }) => {
      this.ready = false;
      for (const { fail } of this.waiting.values()) fail(new Error("lost"));
      this.waiting.clear();
      this.left(code === FULL);
      setTimeout(() => this.connect(), AGAIN);
    });
  }
  hear(message) {
    if (message.method) return this.heard[message.method]?.(message.params);
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (asked && message.error) asked.fail(new Error(message.error.message));
    else asked?.done(message.result);
  }
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
  tell(method, params) { this.send({ method, params }); }
  /** Return the answer to a request. The promise fails with the message of the server, or if the connection is lost. */
  ask(method, params) {
    const id = ++this.number;
    return new Promise((done, fail) => {
      if (this.socket.readyState !== WebSocket.OPEN) return fail(new Error("lost"));
      this.waiting.set(id, { done, fail });
      this.send({ id, method, params });
    });
  }
}
