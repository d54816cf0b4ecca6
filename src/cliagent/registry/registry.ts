import { messageOf } from "../../base/mod.ts";
import { AgentError } from "../errors.ts";
import type { ModelEntry } from "./entry.ts";
import { parseRegistry, type RegistryPlace } from "./parse_registry.ts";

/** The file of a registry. */
export interface RegistryFile extends RegistryPlace {
  /** A value that changes with the file, such as its time and size. Rejects if there is no file. */
  version(): Promise<string>;
  /** Reads the file's text. */
  read(): Promise<string>;
}

/** The current models. */
export interface ModelRegistry {
  /**
   * Returns the entry of a model from the file's present content.
   *
   * @throws {AgentError} `unknown_model`, with the name in its detail.
   */
  get(model: string): Promise<ModelEntry>;
  /** All entries, in the file's order. */
  list(): Promise<readonly ModelEntry[]>;
}

/**
 * Opens a registry, which is read again when its version has changed. If the new version is invalid
 * or the file is missing, the last valid one stays in use, with a warning once for each version.
 *
 * @throws The error of the first version: see {@linkcode parseRegistry}.
 */
export async function openRegistry(
  file: RegistryFile,
  warn: (message: string) => void,
): Promise<ModelRegistry> {
  let version = await file.version();
  let models = parseRegistry(await file.read(), file);
  let reading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    let now = "missing";
    try {
      now = await file.version();
      if (now === version) return;
      models = parseRegistry(await file.read(), file);
    } catch (error) {
      if (now !== version) warn(`${messageOf(error)}; the last good version stays in use`);
    }
    version = now;
  }
  // Simultaneous calls share one check of the file.
  const current = async (): Promise<ReadonlyMap<string, ModelEntry>> => {
    await (reading ??= refresh().finally(() => reading = undefined));
    return models;
  };
  return {
    async get(model) {
      const entry = (await current()).get(model);
      if (entry === undefined) {
        const detail = `No model ${JSON.stringify(model)}: GET /v1/models lists the names`;
        throw new AgentError("unknown_model", "Unknown model", { detail });
      }
      return entry;
    },
    list: async () => [...(await current()).values()],
  };
}
