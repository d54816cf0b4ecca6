import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import { closest, messageOf } from "../../base/mod.ts";
import { keyHashPattern } from "../keys.ts";
import { isInside, joinPath } from "../paths.ts";
import { driverNames, type ModelEntry } from "./entry.ts";

const { localeError } = en();

const word = z.string().check(
  z.minLength(1, "Expected a text that is not empty"),
  z.regex(/^[^\0]*$/, "Expected a text without NUL"),
);
const command = z.union([z.array(word).check(z.minLength(1, "Expected a command")), word], {
  error: "Expected a command as text, or a list of its words",
});
const count = (least: number, most: number) =>
  z.int().check(
    z.minimum(least, `Expected a whole number from ${least} to ${most}`),
    z.maximum(most, `Expected a whole number from ${least} to ${most}`),
  );

/** Longest `timeout`: a day. */
const MAX_SECONDS = 86_400;

const entrySchema = z.strictObject({
  driver: z.enum(driverNames),
  repoPath: word,
  agentFile: z.optional(z.nullable(word)),
  worktree: z.optional(z.boolean()),
  setup: z.optional(command),
  command: z.optional(word),
  args: z.optional(z.array(z.string().check(z.regex(/^[^\0]*$/, "Expected a text without NUL")))),
  env: z.optional(
    z.array(z.string().check(z.regex(/^[A-Za-z_]\w*$/, "Expected the name of a variable"))),
  ),
  model: z.optional(word.check(z.regex(/^[^-]/, "Expected a name that does not begin with -"))),
  timeout: z.optional(
    z.number().check(
      z.positive("Expected seconds, above 0"),
      z.maximum(MAX_SECONDS, `Expected at most ${MAX_SECONDS} seconds`),
    ),
  ),
  maxConcurrent: z.optional(count(1, 1000)),
  maxQueue: z.optional(count(0, 100_000)),
  commit: z.optional(z.boolean()),
  mayCreate: z.optional(z.array(word)),
  sandbox: z.optional(z.enum(["none", "bwrap"])),
  apiKeys: z.optional(
    z.array(
      z.string().check(
        z.regex(keyHashPattern, "Expected a hash of a key, as llmcmd proxy --hash-key makes it"),
      ),
    ),
  ),
});

type RawEntry = z.infer<typeof entrySchema>;

/** Location of a registry, to which its paths are relative. */
export interface RegistryPlace {
  /** The registry's path as the user gave it, for errors. */
  readonly file: string;
  /** The registry's folder, at which relative paths start. */
  readonly folder: string;
  /** The home folder for `~/`; without it such paths are errors. */
  readonly home?: string | undefined;
}

/**
 * Parses a registry: a JSON object with an entry for each model's name. A `$schema` is ignored.
 *
 * @throws {SyntaxError} naming the file, if the text is not JSON.
 * @throws {TypeError} naming file, entry and field:
 * `models.json: codex-repoX: timeout: Expected seconds, above 0`.
 *
 * @example
 * ```ts
 * import { parseRegistry } from "@llmcmd/llmcmd/cliagent";
 *
 * const text = '{"codex-repoX": {"driver": "codex", "repoPath": "/home/me/repoX"}}';
 * const models = parseRegistry(text, { file: "models.json", folder: "/home/me" });
 * if (models.get("codex-repoX")?.agentFile !== "AGENTS.md") throw new Error("no default");
 * ```
 */
export function parseRegistry(text: string, place: RegistryPlace): Map<string, ModelEntry> {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch (error) {
    throw new SyntaxError(`${place.file}: ${messageOf(error)}`);
  }
  const file = z.record(z.string(), z.unknown()).safeParse(value, { error: localeError });
  if (!file.success) {
    throw new TypeError(`${place.file}: Expected an object with an entry for each model`);
  }
  const models = new Map<string, ModelEntry>();
  for (const [name, raw] of Object.entries(file.data)) {
    if (name === "$schema" && typeof raw === "string") continue;
    models.set(name, parseEntry(name, raw, place));
  }
  return models;
}

/** Throws an error with the place in the file. */
function fail({ file }: RegistryPlace, name: string, field: string, message: string): never {
  const where = [file, name, field].filter((part) => part !== "").join(": ");
  throw new TypeError(`${where}: ${message}`);
}

function parseEntry(name: string, value: unknown, place: RegistryPlace): ModelEntry {
  // deno-lint-ignore no-control-regex
  if (name === "" || /[\x00-\x1f\x7f]/.test(name)) {
    fail(place, JSON.stringify(name), "", "Expected a name without control characters");
  }
  const result = entrySchema.safeParse(value, { error: localeError });
  if (!result.success) {
    const [issue] = result.error.issues;
    if (issue?.code === "unrecognized_keys") {
      const [key = ""] = issue.keys;
      const near = closest(key, Object.keys(entrySchema.shape));
      fail(place, name, key, `Unknown field${near === undefined ? "" : `; did you mean ${near}?`}`);
    }
    const field = (issue?.path ?? []).map((part) =>
      typeof part === "number" ? `[${part}]` : String(part)
    ).join("");
    const message = (issue?.message ?? "Invalid value").replace(/^Invalid (input|option): e/, "E");
    fail(place, name, field, message);
  }
  return complete(name, result.data, place);
}

/** Fills in the defaults, and checks fields that depend on each other. */
function complete(name: string, raw: RawEntry, place: RegistryPlace): ModelEntry {
  const agentFile = raw.agentFile === undefined ? "AGENTS.md" : raw.agentFile;
  const worktree = raw.worktree ?? false;
  const repoPath = absolute(name, "repoPath", raw.repoPath, place);
  if (agentFile !== null && !isInside(repoPath, joinPath(repoPath, agentFile))) {
    fail(place, name, "agentFile", `Expected a path inside repoPath, not ${agentFile}`);
  }
  if (raw.driver === "generic" && raw.command === undefined) {
    fail(place, name, "command", "Expected a command: the driver generic has none of its own");
  }
  if (!worktree) {
    if (raw.maxConcurrent !== undefined && raw.maxConcurrent !== 1) {
      fail(place, name, "maxConcurrent", "Expected 1: without worktree, calls take turns");
    }
    for (const field of ["setup", "commit", "mayCreate"] as const) {
      if (raw[field] !== undefined && raw[field] !== false) {
        fail(place, name, field, "Expected worktree: true beside it");
      }
    }
  }
  if (raw.mayCreate !== undefined && raw.commit !== true) {
    fail(place, name, "mayCreate", "Expected commit: true beside it");
  }
  const path = raw.command;
  return {
    name,
    driver: raw.driver,
    repoPath,
    agentFile,
    worktree,
    setup: typeof raw.setup === "string" ? ["sh", "-c", raw.setup] : raw.setup,
    command: path === undefined || !path.includes("/")
      ? path
      : absolute(name, "command", path, place),
    args: raw.args ?? [],
    env: raw.env ?? [],
    model: raw.model,
    timeout: raw.timeout ?? 300,
    maxConcurrent: raw.maxConcurrent ?? (worktree ? 4 : 1),
    maxQueue: raw.maxQueue ?? 64,
    commit: raw.commit ?? false,
    mayCreate: raw.mayCreate,
    sandbox: raw.sandbox ?? "none",
    apiKeys: raw.apiKeys,
  };
}

/** Makes a path of the file absolute. */
function absolute(name: string, field: string, path: string, place: RegistryPlace): string {
  if (path !== "~" && !path.startsWith("~/")) return joinPath(place.folder, path);
  if (place.home === undefined) fail(place, name, field, `Expected a path without ~: ${path}`);
  return joinPath(place.home, path.slice(2));
}
