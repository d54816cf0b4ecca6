import assert from "node:assert/strict";
import { processes } from "./_processes.ts";

/** A terminal of tmux with a program in it. */
export class Tmux implements AsyncDisposable {
  readonly #socket: string;

  /** `socket` is the path of the tmux socket. */
  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Starts a shell command in a folder. */
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

  /** Waits until the screen matches. With `-e` it has its colours. */
  async until(pattern: RegExp, ...options: string[]): Promise<string> {
    for (let attempt = 0;; attempt++) {
      const screen = (await this.tmux("capture-pane", "-p", ...options)).trimEnd() + "\n";
      if (pattern.test(screen)) return screen;
      assert.ok(attempt < 4_800, `no ${pattern} in:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Ends the terminal and waits for its processes: a shell writes its history when it exits. */
  async [Symbol.asyncDispose](): Promise<void> {
    const lines = await this.tmux("list-panes", "-a", "-F", "#{pid}\n#{pane_pid}");
    const leaders = new Set(lines.split("\n").filter(Boolean).map(Number));
    await this.tmux("kill-server");
    for (let attempt = 0;; attempt++) {
      const left = (await processes()).filter(({ session }) => leaders.has(session));
      if (left.length === 0) return;
      assert.ok(attempt < 4_800, `still running: ${JSON.stringify(left)}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
