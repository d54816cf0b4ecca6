import { type ParsedArgument, UsageError } from "../../command_line/mod.ts";
import { hostFs } from "../../sys/mod.ts";
import { type AllowEntry, type HostFs, overlayHost } from "../../vfs/mod.ts";
import { absolutePath, shownPath } from "../paths/mod.ts";
import { counted } from "../text/mod.ts";
import { beginLayer, layersFolder, removeLayer } from "./layers.ts";

/** The layer that a program writes to. */
export interface ProgramLayer extends AsyncDisposable {
  /** The host's files with the layer over them. */
  readonly host: HostFs;
  /** Closes the layer; resolves to a message for the user. */
  end(): Promise<string>;
}

/** Properties of a program that runs over a layer. */
export interface LayeredProgram {
  /** Its command line. */
  readonly command: readonly string[];
  /** The folder that relative paths start from. */
  readonly root: string;
  /** The paths that it may access. */
  readonly entries: readonly AllowEntry[];
  /** Most bytes of the layer. */
  readonly quota: number;
  /** Absolute paths that its sandbox shows. */
  readonly shown: readonly string[];
  /** The command line of llmcmd. */
  readonly given: readonly ParsedArgument[];
}

/**
 * Begins the layer of a program; `name` may be empty.
 *
 * @throws {ConfigError} The layer is in use, or over another folder.
 * @throws {UsageError} The program would see the layers, or the program's name could be meant for
 * the layer.
 */
export async function beginProgramLayer(
  name: string,
  { command, root, entries, quota, shown, given }: LayeredProgram,
): Promise<ProgramLayer> {
  refuseNameApart(given);
  const all = entries.map((entry) => ({ ...entry, path: absolutePath(entry.path, root) }));
  await refuseShown(shown);
  const layer = await beginLayer(name, { root, entries: all, command: [...command] });
  const host = await overlayHost(hostFs(), layer.files, { quota }).catch(async (error) => {
    await layer.release();
    throw error;
  });
  let ended: Promise<string> | undefined;
  const end = async () => {
    const count = host.changes().length;
    await host[Symbol.asyncDispose]();
    if (count === 0 && name === "") await removeLayer(layer);
    await layer.release();
    if (count === 0) return "nothing was changed" + (name === "" ? "" : `: ${name} is empty`);
    const changes = `${counted(count, "change")} kept in the layer ${layer.name}`;
    return `${changes}: 'llmcmd overlay diff ${layer.name}' shows them, ` +
      `'llmcmd overlay apply ${layer.name}' writes them to the files, ` +
      `'llmcmd overlay discard ${layer.name}' removes them`;
  };
  return {
    host,
    end: () => ended ??= end(),
    [Symbol.asyncDispose]: async () => void await (ended ??= end()),
  };
}

/** Refuses `--overlay NAME`, as NAME would be taken for the command. */
function refuseNameApart(given: readonly ParsedArgument[]): void {
  const option = given.findLast((item) =>
    item.kind === "option" && item.name === "overlay" && !item.hasValue
  );
  const next = given.find((item) => item.kind === "operand" && item.index - 1 === option?.index);
  if (next?.kind !== "operand" || next.afterDashes) return;
  throw new UsageError(
    `'${next.value}' after --overlay: write --overlay=${next.value} for a layer of that name, ` +
      "and -- before COMMAND",
  );
}

/** Refuses to show the layers to a program in a sandbox. */
async function refuseShown(shown: readonly string[]): Promise<void> {
  const found = await shownPath(shown, [layersFolder()]);
  if (found === undefined) return;
  const { path, kept } = found;
  throw new UsageError(`--show ${path} would show the layers in ${kept}: show less of it`);
}
