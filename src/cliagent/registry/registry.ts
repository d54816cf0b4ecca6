import { messageOf } from "../../base/mod.ts";
import { AgentError } from "../errors.ts";
import type { ModelEntry } from "./entry.ts";
import { parseRegistry, type RegistryPlace } from "./parse_registry.ts";

/** The registry's file. */
export interface RegistryFile extends RegistryPlace {
  /** What changes when the file does, such as its time and size. Throws when there is no file. */
  version(): Promise<string>;
  /** Its text. */
  read(): Promise<string>;
}

/** The models that there are now. */
export interface ModelRegistry {
  /**
   * The entry of a model, from the file as it is now.
   *
   * @throws {AgentError} `unknown_model`, whose detail names it.
   */
  get(model: string): Promise<ModelEntry>;
  /** All entries, in the file's order. */
  list(): Promise<readonly ModelEntry[]>;
}

/**
 * Opens a registry. It is read again when its version has changed. A version that is bad, or a file
 * that is gone, leaves the last good one in use, and is told to `warn` once for each version.
 *
 * @throws What is wrong with the first version: see {@linkcode parseRegistry}.
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
  // Calls at the same time share one look at the file.
  const current = async (): Promise<ReadonlyMap<string, ModelEntry>> => {
    await (reading ??= refresh().finally(() => reading = undefined));
    return models;
  };
  return {
    async get(model) {
      const entry = (await current()).get(model);
      if (entry === undefined) {
        const detail = `There is no ${JSON.stringify(model)}: GET /v1/models has the names`;
        throw new AgentError("unknown_model", "Unknown model", { detail });
      }
      return entry;
    },
    list: async () => [...(await current()).values()],
  };
}
