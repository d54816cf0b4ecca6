import { closest } from "../../base/mod.ts";
import {
  ConfigError,
  nameOf,
  namesOf,
  type Reader,
  Refused,
  ROWS,
  type Setting,
  SETTINGS,
  type SettingWithDefault,
  usualOf,
} from "../settings/mod.ts";
import type { ConfigEntry } from "./config_file.ts";

/** A text that was set, and its origin, for messages. */
interface Entry {
  readonly text: string;
  /** The name of the variable or option. */
  readonly name: string;
  /** `the environment`, `the command line`, or the file's name. */
  readonly from: string;
}

/**
 * The values of a reader's settings, from several sources. The source that was added first counts;
 * within a source, the first name of a setting in the table. A blank text counts as not set.
 */
export class SettingValues {
  readonly #reader: Reader;
  /** The texts of each setting, in the order in which they count. */
  readonly #entries = new Map<Setting, Entry[]>();

  /** Begins with the defaults. */
  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Sets one setting by an option of the command line. */
  addOption(setting: Setting, text: string | undefined): void {
    if (text === undefined) return;
    this.#add(setting, { text, name: `--${setting.option}`, from: "the command line" });
  }

  /** Adds the variables that are set. */
  addEnvironment(variables: ReadonlyMap<string, string>): void {
    this.#addSource(variables, "the environment");
  }

  /** Adds the entries of a file, of which the last counts; warns of keys without effect. */
  addFile(entries: readonly ConfigEntry[], file: string, warn: (message: string) => void): void {
    const texts = new Map<string, string>();
    for (const { key, value, line } of entries) {
      const problem = keyProblem(key);
      if (problem === undefined) texts.set(key, value);
      else warn(`${file}, line ${line}: ${problem}`);
    }
    this.#addSource(texts, file);
  }

  /**
   * The value of a setting, or its default.
   *
   * @throws {ConfigError} The text is refused; the message names the variable and its source.
   */
  get<Value extends string | number>(setting: SettingWithDefault<Value>): Value;
  get<Value extends string | number>(setting: Setting<Value>): Value | undefined;
  get<Value extends string | number>(setting: Setting<Value>): Value | undefined {
    const usual = usualOf(setting, this.#reader);
    const entry = this.#entryOf(setting) ??
      (usual === undefined
        ? undefined
        : { text: usual, name: nameOf(setting, this.#reader), from: "the table of settings" });
    if (entry === undefined) return undefined;
    const value = setting.rule(entry.text.trim());
    if (value instanceof Refused) {
      throw new ConfigError(`${entry.name} in ${entry.from} ${value.why}`);
    }
    return value;
  }

  /**
   * A warning about an address that `llmcmd` does not use, because the key is of the other family and
   * the address has no key of its own; `undefined` if there is none.
   */
  unusedAddress(): string | undefined {
    if (this.#reader !== "llmcmd") return undefined;
    const [address, ...others] = this.#entries.get(SETTINGS.baseUrl) ?? [];
    const keys = (this.#entries.get(SETTINGS.apiKey) ?? []).map(({ name }) => name);
    if (address?.name !== "LLM_BASE_URL" || others.length > 0) return undefined;
    if (keys.length === 0 || keys.includes("LLM_AUTH_TOKEN")) return undefined;
    return `LLM_BASE_URL in ${address.from} is not used with OPENAI_API_KEY: ` +
      "set OPENAI_BASE_URL, or LLM_AUTH_TOKEN in place of OPENAI_API_KEY";
  }

  #entryOf(setting: Setting): Entry | undefined {
    const entries = this.#entries.get(setting) ?? [];
    const pairs = this.#reader === "llmcmd" && setting === SETTINGS.baseUrl;
    return pairs ? this.#addressOf(entries) : entries[0];
  }

  /**
   * The address for the key that `llmcmd` uses: that of the same family of names. A key of OpenAI is
   * never sent to `LLM_BASE_URL`, which may be the endpoint of somebody else.
   */
  #addressOf(entries: readonly Entry[]): Entry | undefined {
    const [key] = this.#entries.get(SETTINGS.apiKey) ?? [];
    const [first] = entries;
    if (key === undefined || first?.name.startsWith("--")) return first;
    const own = entries.find(({ name }) => familyOf(name) === familyOf(key.name));
    return own ?? (familyOf(key.name) === "OPENAI" ? undefined : first);
  }

  #addSource(texts: ReadonlyMap<string, string>, from: string): void {
    for (const setting of ROWS) {
      for (const name of namesOf(setting, this.#reader)) {
        const text = texts.get(name);
        if (text !== undefined) this.#add(setting, { text, name, from });
      }
    }
  }

  #add(setting: Setting, entry: Entry): void {
    if (entry.text.trim() === "") return;
    const entries = this.#entries.get(setting);
    if (entries === undefined) this.#entries.set(setting, [entry]);
    else entries.push(entry);
  }
}

/** The first word of a variable's name: `OPENAI` or `LLM`. */
function familyOf(name: string): string | undefined {
  return name.split("_", 1)[0];
}

/** The keys that may be in files, for any command. */
const FILE_KEYS: ReadonlySet<string> = new Set(
  ROWS.filter(({ environmentOnly }) => environmentOnly !== true).flatMap(allNames),
);

function allNames({ names }: Setting): string[] {
  return Object.values(names).flat();
}

/** Explains why a key of a file has no effect for any command; `undefined` if it may have one. */
function keyProblem(key: string): string | undefined {
  if (FILE_KEYS.has(key)) return undefined;
  if (ROWS.some((row) => allNames(row).includes(key))) {
    return `${key} is read from the environment only`;
  }
  const near = closest(key, [...FILE_KEYS]);
  return `the key ${key} is not known${near === undefined ? "" : `; did you mean ${near}?`}`;
}
