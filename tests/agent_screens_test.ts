/**
 * The display of `llmcmd agent` on a terminal: screens of tmux, stored as snapshots. Numbers that
 * differ from run to run are masked.
 */
import assert from "node:assert/strict";
import { Place, Terminal } from "./_agent.ts";
import { optional } from "./_optional.ts";

const tool = (name: string, input: Record<string, unknown>) => ({
  response: { tool_calls: [{ function: { name, arguments: input } }] },
});
const said = (content: string) => ({ response: { content } });

const PROSE = `There are three ways to do it, and each has its price when the file is long:

- Read all of it at once, which is simple and takes as much memory as the file has bytes.
- Read it line by line.

\`\`\`sh
while IFS= read -r line; do printf '%s\\n' "$line"; done <input.txt | sort | uniq -c | sort -rn
\`\`\`

\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u306b\u306f\u7a7a\u767d\u304c\u306a\u3044\u306e\u3067\u3001\
\u6587\u5b57\u306e\u9593\u3067\u6539\u884c\u3057\u307e\u3059\u3002\u305d\u308c\u3067\u3044\u3044\u3067\u3059\u3002`;

const SCENARIOS = [
  {
    name: "calls",
    trigger: "make a script",
    steps: [
      {
        response: {
          content: "I'll write one.",
          ...tool("write_file", { path: "hello.sh", content: "echo hello\n" }).response,
        },
      },
      {
        response: {
          content: "Now I run it.",
          ...tool("bash", { command: "sh hello.sh" }).response,
        },
      },
      said("It says **hello**."),
    ],
  },
  {
    name: "busy",
    trigger: "too busy",
    steps: [{ ...said("Late."), fault: { times: 1, status: 429, retry_after: 30 } }],
  },
  {
    name: "edit",
    trigger: "correct it",
    steps: [
      tool("write_file", { path: "sum.ts", content: "const a = 1;\nlet sum = a;\nsum += 2;\n" }),
      tool("edit_file", {
        path: "sum.ts",
        old_string: "let sum = a;\nsum += 2;",
        new_string: "const sum = a + 2;",
      }),
      said("Corrected."),
    ],
  },
  {
    name: "fail",
    trigger: "go wrong",
    steps: [
      tool("read_file", { path: "missing.txt" }),
      tool("bash", { command: "echo one; echo two; echo three; exit 3" }),
      said("Both failed."),
    ],
  },
  {
    name: "cut",
    trigger: "a long command",
    steps: [
      tool("bash", { command: `echo ${"word ".repeat(40)} >/dev/null` }),
      said("Done."),
    ],
  },
  {
    name: "live",
    trigger: "watch it",
    steps: [
      tool("bash", {
        command: "for i in 1 2 3 4 5 6; do printf 'step %s\\n' $i; done; exec sleep 87654",
        timeout: 900,
      }),
    ],
  },
  { name: "prose", trigger: "three ways", steps: [said(PROSE)] },
];

/** Masks values that differ from run to run, and durations, which vary on a busy machine. */
function masked(screen: string): string {
  return screen.replaceAll(/session \d{8}T\d{6}-[0-9a-f]{8}/g, "session ID")
    .replaceAll(/\b\d+ s, /g, "")
    .replaceAll(/ {2}\d+ s$/gm, "")
    .replaceAll(/in \d+ s:/g, "in N s:")
    .replaceAll(/( word)+\.\.\./g, " word...");
}

/** An empty prompt at the end of the screen. */
const PROMPT = /(^|\n)You:\n$/;
const answered = (text: string) => new RegExp(`${text}[^]*\nYou:\n$`);

/** The path of the snapshots, for any file that imports this one. */
const SNAPSHOTS = new URL("__snapshots__/agent_screens_test.ts.snap", import.meta.url).pathname;

/** Takes snapshots of a terminal's screen. */
class Screens {
  readonly #t: Deno.TestContext;
  readonly terminal: Terminal;

  constructor(t: Deno.TestContext, terminal: Terminal) {
    this.#t = t;
    this.terminal = terminal;
  }

  /** Presses keys on a cleared screen, and takes it once it matches. */
  async take(name: string, pattern: RegExp, ...keys: string[]): Promise<void> {
    await this.terminal.keys("C-l", ...keys);
    await this.keep(name, pattern);
  }

  /** Takes the screen once it matches. */
  async keep(name: string, pattern: RegExp): Promise<void> {
    const screen = await this.terminal.until(pattern);
    await this.#t.assertSnapshot(masked(screen), { name, path: SNAPSHOTS });
  }

  /** Pastes text, with the marks that a terminal puts around it. */
  async paste(text: string): Promise<void> {
    await this.terminal.tmux("set-buffer", text);
    await this.terminal.tmux("paste-buffer", "-p");
  }

  /** Clears the line that is edited. */
  async clear(): Promise<void> {
    await this.terminal.keys("C-c");
    await this.terminal.until(PROMPT);
  }
}

Deno.test({
  ...optional("llmcmd agent on a terminal: screens of turns", "tmux"),
  async fn(t) {
    await using place = new Place(SCENARIOS);
    await using terminal = await Terminal.open(place);
    const screens = new Screens(t, terminal);
    await screens.keep("start", PROMPT);
    await screens.take("calls", answered("It says"), "make a script", "Enter");
    await screens.take("a change of a file", answered("Corrected"), "correct it", "Enter");
    await screens.take("calls that fail", answered("Both failed"), "go wrong", "Enter");
    // The codes around the colours depend on the terminal.
    const coloured = await terminal.until(/Both failed/, "-e");
    assert.ok(coloured.includes("\x1b[1mYou:"), coloured);
    assert.ok(coloured.includes("\x1b[31m\u2717"), coloured);
    await screens.take("a call that is too wide", answered("Done"), "a long command", "Enter");
    await screens.take("words are not broken", answered("\u3059\u3002"), "three ways", "Enter");
    await screens.take("a command that runs", /step 6\n$/, "watch it", "Enter");
    await screens.take("a command that was stopped", answered("Stopped"), "C-c");

    const gate = Promise.withResolvers<void>();
    place.gate = gate.promise;
    await screens.take(
      "waiting, with what was typed meanwhile",
      /Waiting[^]*how\n$/,
      "again",
      "Enter",
      "how",
    );
    await screens.take("lines that wait", /Next: how are you\n$/, " are you", "Enter");
    gate.resolve();
    await screens.keep("lines that waited are answered", answered("I'm doing well"));
    const other = Promise.withResolvers<void>();
    place.gate = other.promise;
    await terminal.keys("again", "Enter", "never said", "Enter");
    await terminal.until(/Next: never said/);
    await screens.take("a stop brings lines back", /Stopped\]\n\nYou: never said\n$/, "C-c");
    other.resolve();
    await screens.clear();
    await screens.take("an endpoint that is busy", /Trying again/, "too busy", "Enter");
    await terminal.keys("C-c");
    await terminal.until(answered("Stopped"));
  },
});

Deno.test({
  ...optional("llmcmd agent on a terminal: screens of the line editor", "tmux"),
  async fn(t) {
    await using place = new Place(SCENARIOS);
    await using terminal = await Terminal.open(place);
    const screens = new Screens(t, terminal);
    const japanese = "\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3067\u3059\u3002".repeat(5);
    await terminal.keys("-l", japanese);
    await screens.take(
      "wide characters that wrap, with one inserted",
      /ab/,
      ...Array(9).fill("Left"),
      "ab",
    );
    await screens.clear();
    await terminal.keys("-l", "word ".repeat(20) + "tail");
    await terminal.until(/tail\n$/);
    await screens.take("a long line, with a key deleted", /tai\n$/, "BSpace");
    await screens.clear();
    await terminal.keys("-l", "cafe\u0301 e\u0301te\u0301 \u{1f469}\u200d\u{1f4bb} nai\u0308ve");
    await screens.take("combining marks", /X/, "Left", "Left", "Left", "Left", "X");
    await screens.clear();
    await screens.take(
      "lines of one message",
      /third\n$/,
      "first \\",
      "Enter",
      "second",
      "M-Enter",
      "third",
    );
    await screens.take("up and left in them", /secXond/, "Up", "Left", "Left", "X");
    await screens.clear();
    await screens.paste(Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n"));
    await screens.take("a long paste", /pasted 40 lines\] and more\n$/, " and more");
    await screens.take("Ctrl+C clears the line", PROMPT, "C-c");
    await screens.take("then it says how to leave", /ends llmcmd\n$/, "C-c");
    await screens.take("what was cleared comes back", /and more\n$/, "C-y");
    await terminal.keys("C-c", "how are you", "Enter");
    await terminal.until(answered("I'm doing well"));
    await terminal.keys("once", "M-Enter", "again", "Enter");
    await terminal.until(answered("Still here"));
    await screens.take("the history", /You: how are you\n$/, "Up", "Up", "Up");
    await screens.clear();
    await terminal.keys(
      "-l",
      "some words that wrap when the terminal is not as wide as it was before",
    );
    await terminal.until(/before\n$/);
    await terminal.tmux("resize-window", "-x", "30", "-y", "20");
    await screens.keep("a terminal that was made narrower", /wrap\n {5}when[^]*before\n$/);
    await terminal.tmux("resize-window", "-x", "80", "-y", "40");
    await screens.keep("and wide again", /wrap when the terminal[^]*before\n$/);
  },
});

for (const sandbox of ["none", "bwrap"] as const) {
  Deno.test({
    ...optional(
      `llmcmd agent on a terminal, sandbox ${sandbox}: !COMMAND has the terminal`,
      "tmux",
      ...sandbox === "bwrap" ? ["bwrap"] as const : [],
    ),
    async fn(t) {
      await using place = new Place(SCENARIOS);
      await using terminal = await Terminal.open(place, undefined, `--sandbox=${sandbox}`);
      const screens = new Screens(t, terminal);
      const name = (what: string) => `${what}, sandbox ${sandbox}`;
      await terminal.keys("C-l", '!read -p "name? " name; echo "hello $name"; exit 3', "Enter");
      await terminal.until(/name\?\n$/);
      await terminal.keys("worldx", "BSpace", "Enter");
      await screens.keep(name("a command that reads"), answered("Exit code 3"));
      await terminal.keys(
        "C-l",
        "!trap 'echo caught; exit 0' INT; printf begun; while :; do sleep 0.05; done",
        "Enter",
      );
      await terminal.until(/^begun$/m);
      await terminal.keys("C-c");
      await screens.keep(name("Ctrl+C goes to the command"), answered("caught"));
      await terminal.keys("C-l", "!stty -a | grep -o ' icanon'; printf 'no end'", "Enter");
      await screens.keep(name("a line without its end"), /^no end\n\nYou:\n$/m);
      await terminal.keys("typed after", "Enter");
      await terminal.until(/No scenario matches/);
    },
  });
}

Deno.test({
  ...optional(
    "llmcmd agent: !COMMAND in the sandbox cannot type for the user",
    ...["tmux", "bwrap", "python3"] as const,
  ),
  async fn() {
    await using place = new Place();
    await using terminal = await Terminal.open(place, undefined, "--sandbox=bwrap");
    const request = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b'x')";
    await terminal.keys(`!python3 -c "${request}"`, "Enter");
    await terminal.until(/Operation not permitted[^]*Exit code 1[^]*\nYou:\n$/);
  },
});
