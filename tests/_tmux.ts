import assert from "node:assert/strict";

/** A terminal, by tmux, with a program in it. */
export class Tmux implements AsyncDisposable {
  readonly #socket: string;

  /** `socket` is where its tmux listens. */
  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Starts a line of a shell in a folder. */
  async start(folder: string, columns: number, rows: number, line: string): Promise<void> {
    await this.tmux(
      ...["-f", "/dev/null", "new-session", "-d", "-x", `${columns}`, "-y", `${rows}`],
      ...["-c", folder, line],
    );
  }

  async tmux(...args: string[]): Promise<string> {
    const { stdout, stderr, success } = await new Deno.Command("tmux", {
      args: ["-S", this.#socket, ...args],
      env: { TERM: "xterm", LC_ALL: "C.UTF-8" },
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  }

  async keys(...keys: string[]): Promise<void> {
    await this.tmux("send-keys", ...keys);
  }

  /** Waits until the screen shows something. With `-e` it has its colours. */
  async until(pattern: RegExp, ...options: string[]): Promise<string> {
    for (let attempt = 0;; attempt++) {
      const screen = (await this.tmux("capture-pane", "-p", ...options)).trimEnd() + "\n";
      if (pattern.test(screen)) return screen;
      assert.ok(attempt < 600, `no ${pattern} in:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tmux("kill-server");
  }
}
