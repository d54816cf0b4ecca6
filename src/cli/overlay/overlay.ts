import { clip, closest, isWithin, printable } from "../../base/mod.ts";
import { pageHelp, readCommand, UsageError } from "../../command_line/mod.ts";
import type { OverlayChange } from "../../vfs/mod.ts";
import { type Messages, stderrMessages } from "../messages/mod.ts";
import { printText, READER_GONE, type TextOutput } from "../pages/pages.ts";
import { untilSignal } from "../signals/signals.ts";
import { columnLines, counted } from "../text/mod.ts";
import {
  findLayer,
  holdLayer,
  isRunning,
  type KeptLayer,
  listLayers,
  openLayer,
  removeLayer,
} from "./layers.ts";
import { OVERLAY_PAGE } from "./page.ts";
import { textDiff } from "./text_diff.ts";

export { beginProgramLayer, type ProgramLayer } from "./program_layer.ts";

/** Most characters of a command line in the list. */
const MOST_SHOWN = 60;

/** The surroundings of an action. */
interface Context {
  readonly stdout: TextOutput;
  readonly messages: Messages;
  readonly signal: AbortSignal;
}

const ACTIONS: Readonly<Record<string, (name: string, context: Context) => Promise<number>>> = {
  diff,
  apply,
  discard,
};

/** Runs `llmcmd overlay`. */
export async function runOverlay(args: readonly string[], stdout: TextOutput): Promise<number> {
  const page = OVERLAY_PAGE;
  const { options, given } = readCommand(args, page);
  if (options.help) return await printText(stdout, pageHelp(page));
  const [word = "list", name, ...more] = given.flatMap((item) =>
    item.kind === "operand" ? [item.value] : []
  );
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (action === undefined && word !== "list") {
    const near = closest(word, ["list", ...Object.keys(ACTIONS)]);
    const hint = near === undefined ? "give list, diff, apply or discard" : `did you mean ${near}?`;
    throw new UsageError(`unknown operand '${word}'; ${hint}`);
  }
  const extra = action === undefined ? name : more[0];
  if (extra !== undefined) throw new UsageError(`unexpected operand '${extra}'`);
  const messages = stderrMessages(page.name);
  return await untilSignal(async (signal) => {
    const context = { stdout, messages, signal };
    try {
      if (action === undefined) return await list(context);
      if (name === undefined) throw new UsageError(`missing NAME: llmcmd overlay lists the layers`);
      return await action(name, context);
    } finally {
      await messages.flush();
    }
  }, () => messages.flush());
}

async function list({ stdout, messages }: Context): Promise<number> {
  const layers = await listLayers((message) => messages.warn(message));
  if (layers.length === 0) messages.say("there are no layers");
  const rows = await Promise.all(layers.map(async (layer) => [
    layer.name,
    await stateOf(layer),
    layer.started.slice(0, 16).replace("T", " "),
    layer.root,
    clip(layer.command.join(" ").replace(/\s+/g, " "), MOST_SHOWN),
  ]));
  const lines = columnLines(rows).map((line) => printable(line).trimEnd());
  return await printText(stdout, lines.map((line) => `${line.replaceAll("\n", " ")}\n`).join(""));
}

async function stateOf(layer: KeptLayer): Promise<string> {
  const running = await isRunning(layer) ? ", running" : "";
  try {
    await using vfs = await openLayer(layer);
    return counted(vfs.changes().length, "change") + running;
  } catch {
    return "damaged";
  }
}

async function diff(name: string, { stdout, messages, signal }: Context): Promise<number> {
  const layer = await findLayer(name);
  if (await isRunning(layer)) {
    messages.say(`its program still runs: this is what ${name} has so far`);
  }
  await using vfs = await openLayer(layer);
  const compare = textDiff((message) => messages.warn(message));
  for await (const chunk of vfs.diff(compare, { signal })) {
    if (await printText(stdout, chunk) === READER_GONE) return READER_GONE;
  }
  const folders = vfs.changes().filter(({ what }) => what === "folder");
  if (folders.length > 0) messages.say(`not shown: ${foldersOf(folders)}`);
  for (const { path, why } of await vfs.conflicts({ signal })) {
    messages.warn(inOneLine(`apply would refuse ${path}: ${why}`));
  }
  return 0;
}

async function apply(name: string, { messages, signal }: Context): Promise<number> {
  const layer = await holdLayer(await findLayer(name));
  try {
    await using vfs = await openLayer(layer);
    const { applied, refused } = await vfs.apply({ signal });
    for (const { path, why } of refused) messages.say(inOneLine(`refused ${path}: ${why}`));
    const inRoot = (path: string) => isWithin(path, layer.root);
    messages.say(
      `applied ${counted(applied.length, "change")}` +
        (applied.length > 0 && applied.every(inRoot) ? ` to files in ${layer.root}` : ""),
    );
    if (refused.length > 0) {
      messages.say(
        `${counted(refused.length, "change")} still in the layer: ` +
          // A diff names files outside the root by their absolute path, without the first slash.
          (refused.every(({ path }) => inRoot(path))
            ? `'llmcmd overlay diff ${name} | patch -p1' merges them, `
            : `'llmcmd overlay diff ${name}' shows them, `) +
          `'llmcmd overlay discard ${name}' removes them`,
      );
      return 1;
    }
    await removeLayer(layer);
    return 0;
  } finally {
    await layer.release();
  }
}

async function discard(name: string, { messages }: Context): Promise<number> {
  const layer = await holdLayer(await findLayer(name));
  try {
    const count = await countOf(layer);
    await removeLayer(layer);
    messages.say(`discarded ${count}`);
    return 0;
  } finally {
    await layer.release();
  }
}

/** Describes the changes in a layer; a damaged one can be discarded, too. */
async function countOf(layer: KeptLayer): Promise<string> {
  try {
    await using vfs = await openLayer(layer);
    return counted(vfs.changes().length, "change");
  } catch {
    return "a damaged layer";
  }
}

/** Keeps a message on one line, as a program chose the names in it. */
function inOneLine(text: string): string {
  return text.replaceAll("\n", "\\n");
}

function foldersOf(folders: readonly OverlayChange[]): string {
  const of = (which: OverlayChange["kind"]) => folders.filter(({ kind }) => kind === which).length;
  const parts = [[of("added"), "made"], [of("removed"), "removed"], [of("changed"), "replaced"]];
  const all = parts.flatMap(([count, what]) =>
    typeof count === "number" && count > 0 ? [`${counted(count, "folder")} ${what}`] : []
  );
  return all.join(", ");
}
