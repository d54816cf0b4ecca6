import { pageHelp, readCommand, UsageError } from "../../command_line/mod.ts";
import { currentFolder, hostFs, processHost, unnamedFile } from "../../sys/mod.ts";
import {
  chooseSandbox,
  ProgramMissingError,
  spawnTree,
  type SpawnTreeOptions,
  type TreeStatus,
} from "../../terminal/mod.ts";
import {
  allowedVfs,
  serve,
  type ServeOptions,
  type ServeSummary,
  type Vfs,
} from "../../vfs/mod.ts";
import { stderrMessages } from "../messages/mod.ts";
import { printText, type TextOutput } from "../pages/pages.ts";
import { absolutePath } from "../paths/mod.ts";
import { untilSignal } from "../signals/signals.ts";
import { allowEntries } from "./allow_entries.ts";
import { missingInputs, refuseClashes } from "./clashes.ts";
import { openJournal } from "./journal.ts";
import { ownFiles, refuseOwnShown } from "./own_files.ts";
import { FSPROXY_PAGE } from "./page.ts";
import { programIn, SYSTEM_PATH } from "./program_file.ts";
import { openStagedOutput, type StagedOutput } from "./staged_output.ts";
import { summaryOf, virtualFilesLeft } from "./summary.ts";

/** The exit status that shells report for a missing command. */
const NOT_FOUND = 127;

/** Runs `llmcmd fsproxy`: a program with the FS proxy protocol on its descriptor 3. */
export async function runFsproxy(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = FSPROXY_PAGE;
  const { options, given } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const command = given.flatMap((item) => item.kind === "operand" ? [item.value] : []);
  if (command[0] === undefined || command[0] === "") {
    throw new UsageError("missing COMMAND: give it after --, such as -- python3 tool.py");
  }
  if (options.show.length > 0 && options.sandbox === "none") {
    throw new UsageError("--show is for --sandbox bwrap: without it, COMMAND sees everything");
  }
  const root = currentFolder();
  const below = (path: string) => absolutePath(path, root);
  const entries = allowEntries(options.allow, options.input);
  const { journal: records, overlay, quota } = options;
  const named = { given, entries, journal: records, layered: overlay !== undefined };
  await refuseClashes(named, below);
  const shown = options.show.map(below);
  await refuseOwnShown(shown, root);
  await using layer = options.overlay === undefined
    ? undefined
    : await (await import("../overlay/overlay.ts"))
      .beginProgramLayer(options.overlay, { command, root, entries, quota, shown, given });
  await using vfs = allowedVfs(layer?.host ?? hostFs(), {
    ...{ root, entries, hidden: ownFiles(root) },
    quota,
    scratch: unnamedFile,
    outputs: options.output === undefined ? [] : [options.output],
  });
  const messages = stderrMessages(page.name);
  const llm = options.llm
    ? await (await import("./shared_llm.ts")).openSharedLlm(messages)
    : "denied";
  const { env } = processHost();
  const path = `${SYSTEM_PATH}:${env["PATH"] ?? ""}`;
  const sandbox = options.sandbox === "none"
    ? await chooseSandbox("none")
    : await chooseSandbox("bwrap", {
      network: false,
      visible: [...shown, ...programIn(command[0] ?? "", path, below)],
    });
  if (sandbox.kind === "none") {
    messages.say(
      `${command[0]} is not confined: it can reach files by itself, too ` +
        "(choose --sandbox bwrap)",
    );
    await messages.flush();
  }
  for (const path of missingInputs(named, below)) {
    messages.warn(`${path} may be read, but does not exist`);
  }
  const journal = records === undefined ? undefined : await openJournal(records);
  return await untilSignal(async (signal) => {
    let output: StagedOutput | undefined;
    let done = false;
    try {
      if (options.output !== undefined) {
        output = await openStagedOutput(options.output, messages, signal);
      }
      const serving: ServeOptions = { record: journal?.record, llm };
      const { status, summary } = await serveProgram(command, vfs, serving, {
        ...{ sandbox, signal },
        env: {
          ...(sandbox.kind === "none" ? {} : { PATH: path }),
          ...(env["TERM"] === undefined ? {} : { TERM: env["TERM"] }),
        },
      });
      if (summary.problem !== undefined) messages.warn(`the connection ended: ${summary.problem}`);
      if (options.verbose) messages.say(summaryOf(summary));
      done = status.exitCode === 0 && !signal.aborted;
      const lost = await virtualFilesLeft(vfs);
      if (lost !== undefined) messages.say(lost);
      return status.exitCode ?? 137;
    } catch (error) {
      if (!(error instanceof ProgramMissingError)) throw error;
      messages.say(error.message);
      return NOT_FOUND;
    } finally {
      try {
        await output?.settle(vfs, done);
      } finally {
        if (layer !== undefined) messages.say(await layer.end());
        await messages.flush();
        await journal?.close();
      }
    }
  }, () => messages.flush());
}

/** Runs the program until it and all its child processes have ended. */
async function serveProgram(
  command: readonly string[],
  vfs: Vfs,
  serving: ServeOptions,
  options: SpawnTreeOptions,
): Promise<{ readonly status: TreeStatus; readonly summary: ServeSummary }> {
  const tree = await spawnTree(command, {
    ...{ stdin: "inherit", outputs: "inherit", duplex: true } as const,
    ...options,
  });
  try {
    const { duplex } = tree;
    if (duplex === undefined) throw new Error("The program has no descriptor 3");
    const served = serve(vfs, duplex, serving);
    const status = await tree.status;
    // A process that it left running would keep the connection open. Earlier requests are still
    // served.
    await tree.kill();
    return { status, summary: await served };
  } finally {
    await tree[Symbol.asyncDispose]();
  }
}
