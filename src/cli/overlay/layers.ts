import * as z from "zod";
import { closest, messageOf } from "../../base/mod.ts";
import { FileError, hostFs, isLocked, privateFiles, programLock } from "../../sys/mod.ts";
import { type AllowEntry, hostVfs, type OverlayVfs, overlayVfs, type Vfs } from "../../vfs/mod.ts";
import { absolutePath } from "../paths/mod.ts";
import { ConfigError } from "../settings/mod.ts";
import { usualStateFolder } from "../state/mod.ts";

/** The format of a layer's description file. */
const description = z.strictObject({
  version: z.literal(1),
  root: z.string().startsWith("/"),
  entries: z.array(
    z.strictObject({ path: z.string().startsWith("/"), read: z.boolean(), write: z.boolean() }),
  ),
  command: z.array(z.string()),
  started: z.iso.datetime(),
});

/** The description of a layer: its root folder and allowed paths, and the program that wrote it. */
export type LayerDescription = z.infer<typeof description>;

/** A layer in the state folder. */
export interface KeptLayer extends LayerDescription {
  readonly name: string;
  readonly folder: string;
}

/** A layer that this process has locked. */
export interface HeldLayer extends KeptLayer {
  /** The files of the layer. */
  readonly files: Vfs;
  /** Releases the lock. */
  release(): Promise<void>;
}

const DESCRIPTION = "layer.json";

/** The folder in a layer with the locks of the programs that use it. */
const RUNNING = "running";

/** The folder of all layers. */
export function layersFolder(): string {
  const state = usualStateFolder();
  if (state === undefined) throw new ConfigError("There is no place for layers: set HOME");
  return `${absolutePath(state)}/overlays`;
}

/** Lists all layers by name. Invalid ones are left out, each with a warning. */
export async function listLayers(
  warn: (message: string) => void = () => {},
): Promise<KeptLayer[]> {
  const layers: KeptLayer[] = [];
  for (const name of await privateFiles().list(layersFolder())) {
    const layer = await readLayer(name).catch((error) => warn(messageOf(error)));
    if (layer !== undefined) layers.push(layer);
  }
  return layers;
}

/**
 * Finds a layer by its name.
 *
 * @throws {ConfigError} There is no such layer.
 */
export async function findLayer(name: string): Promise<KeptLayer> {
  const layer = /^[^/.][^/]*$/.test(name) ? await readLayer(name) : undefined;
  if (layer !== undefined) return layer;
  const names = (await listLayers()).map(({ name }) => name);
  const near = closest(name, names) ?? names.find((other) => other.startsWith(name));
  const hint = near !== undefined
    ? `did you mean ${near}?`
    : names.length === 0
    ? "there are none"
    : `there are ${names.slice(0, 8).join(", ")}${names.length > 8 ? ", ..." : ""}`;
  throw new ConfigError(`There is no layer ${name}: ${hint}`);
}

/**
 * Begins a layer, or continues the one of that name over the same folder. If `name` is empty, the
 * name is made from the program's.
 *
 * @throws {ConfigError} The layer is in use, or over another folder.
 */
export async function beginLayer(
  name: string,
  of: Pick<LayerDescription, "root" | "entries" | "command">,
): Promise<HeldLayer> {
  const layer: LayerDescription = { version: 1, ...of, started: new Date().toISOString() };
  if (name !== "") return await begin(name, layer) ?? await goOn(await findLayer(name), layer);
  const program = of.command[0]?.replace(/^.*\//s, "").replace(/[^\w-]/g, "").slice(0, 40);
  for (let number = 1;; number++) {
    const made = await begin(`${program || "layer"}-${number}`.replace(/^[_-]+/, ""), layer);
    if (made !== undefined) return made;
  }
}

/**
 * Locks a layer for this process.
 *
 * @throws {ConfigError} Another process uses it.
 */
export async function holdLayer(layer: KeptLayer): Promise<HeldLayer> {
  const lock = await programLock(`${layer.folder}/${RUNNING}`);
  if (await isRunning(layer, lock.name)) {
    await lock.release();
    throw new ConfigError(`The layer ${layer.name} is in use: wait for its program, or end it`);
  }
  return { ...layer, files: filesOf(layer), release: () => lock.release() };
}

/** True if a program uses a layer, apart from the one with the lock `except`. */
export async function isRunning({ folder }: KeptLayer, except?: string): Promise<boolean> {
  const marks = `${folder}/${RUNNING}`;
  for (const mark of await privateFiles().list(marks)) {
    if (mark !== except && !mark.endsWith(".new") && await isLocked(marks, mark)) return true;
  }
  return false;
}

/**
 * Opens the files below a layer with the layer's changes applied.
 *
 * @throws {FileError} The layer is damaged or cannot be read.
 */
export async function openLayer(layer: KeptLayer): Promise<OverlayVfs> {
  const { root, entries } = layer;
  const lower = hostVfs(hostFs(), {
    root,
    allow: entries.map(({ path }) => path),
    writable: entries.filter(({ write }) => write).map(({ path }) => path),
    hidden: [layersFolder()],
  });
  try {
    return await overlayVfs(lower, filesOf(layer));
  } catch (error) {
    const { name, folder } = layer;
    const why = `${messageOf(error)}; 'llmcmd overlay discard ${name}' removes it`;
    throw new FileError(`read the layer ${name}`, folder, why, error);
  }
}

/** Removes a layer. */
export async function removeLayer({ folder }: KeptLayer): Promise<void> {
  await privateFiles().remove(folder);
}

function filesOf({ folder }: KeptLayer): Vfs {
  return hostVfs(hostFs(), { root: `${folder}/layer` });
}

async function begin(name: string, layer: LayerDescription): Promise<HeldLayer | undefined> {
  const folder = `${layersFolder()}/${name}`;
  const files = privateFiles();
  if (await files.readText(`${folder}/${DESCRIPTION}`) !== undefined) return undefined;
  await files.makeFolder(`${folder}/layer`);
  const made = await files.create(`${folder}/${DESCRIPTION}`, layerJson(layer));
  return made ? await holdLayer({ ...layer, name, folder }) : undefined;
}

async function goOn(kept: KeptLayer, { root, entries }: LayerDescription): Promise<HeldLayer> {
  if (kept.root !== root) {
    throw new ConfigError(`The layer ${kept.name} is over ${kept.root}: choose another name here`);
  }
  const held = await holdLayer(kept);
  const { version, command, started } = kept;
  const all = [...kept.entries, ...entries];
  const layer = { version, root, entries: merged(all), command, started };
  await privateFiles().write(`${kept.folder}/${DESCRIPTION}`, layerJson(layer));
  return { ...held, ...layer };
}

function merged(entries: readonly AllowEntry[]): AllowEntry[] {
  const keys = new Set(entries.map((entry) => JSON.stringify(entry)));
  return entries.filter((entry) => keys.delete(JSON.stringify(entry)));
}

async function readLayer(name: string): Promise<KeptLayer | undefined> {
  const folder = `${layersFolder()}/${name}`;
  const path = `${folder}/${DESCRIPTION}`;
  const text = await privateFiles().readText(path).catch((error) => {
    if (error instanceof Error && /Not a directory/i.test(error.message)) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return { ...description.parse(JSON.parse(text)), name, folder };
  } catch (error) {
    throw new ConfigError(`${path} does not describe a layer: remove ${folder}`, { cause: error });
  }
}

function layerJson(layer: LayerDescription): string {
  return `${JSON.stringify(layer, undefined, 2)}\n`;
}
