import assert from "node:assert/strict";
import { processes } from "./_processes.ts";

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

  /** Ends the terminal, and waits for all in it: a shell writes its history as it goes. */
  async [Symbol.asyncDispose](): Promise<void> {
    const lines = await this.tmux("list-panes", "-a", "-F", "#{pid}\n#{pane_pid}");
    const leaders = new Set(lines.split("\n").filter(Boolean).map(Number));
    await this.tmux("kill-server");
    for (let attempt = 0;; attempt++) {
      const left = (await processes()).filter(({ session }) => leaders.has(session));
      if (left.length === 0) return;
      assert.ok(attempt < 600, `still running: ${JSON.stringify(left)}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
