import { Buffer } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  type Bytes,
  type CaseFile,
  type Digest,
  type GnuAnswer,
  type GnuCase,
  sha256,
} from "./case.ts";

/** Bytes in their shortest form; for output that is too large, only the digest. */
type Blob =
  & { readonly id: string }
  & (
    | { readonly text: string }
    | { readonly base64: string }
    | { readonly gzip: string }
    | Digest
  );

/** Files by their names: the ids of their contents, with permission bits if given. */
interface FileSet {
  readonly id: string;
  readonly files: Readonly<Record<string, string | readonly [id: string, mode: number]>>;
}

/** Short output as text, other output by its id. */
type Output = string | { readonly blob: string };

/** The part of a row that identifies an answer. */
interface Question {
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly seekable?: true;
  readonly files?: string;
  readonly compare?: readonly string[] | "all";
}

/** A case, with its answer if it is known. */
interface Row extends Question {
  readonly status?: number;
  readonly stdout?: Output;
  readonly stderr?: Output;
  readonly after?: Readonly<Record<string, string>>;
  readonly executable?: readonly string[];
}

/** Most bytes of output that are stored as text in their case. */
const INLINE = 200;
/** Least bytes of a blob that is compressed. */
const COMPRESSED_FROM = 400;
/** Most bytes of a compressed blob of output; a larger one is stored as a digest. */
const KEPT = 1500;

const NOTHING: Bytes = new Uint8Array(0);
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Ids by bytes, so that these are hashed once. */
const ids = new WeakMap<Uint8Array, string>();

function idOf(data: Uint8Array): string {
  let id = ids.get(data);
  if (id === undefined) ids.set(data, id = sha256(data).slice(0, 12));
  return id;
}

/** Decodes bytes as UTF-8; `undefined` if they are not. */
function textOf(data: Uint8Array): string | undefined {
  try {
    return decoder.decode(data);
  } catch {
    return undefined;
  }
}

function byName<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1);
}

function blobOf(id: string, data: Uint8Array): Blob {
  if (data.length >= COMPRESSED_FROM) {
    const base64 = Buffer.from(gzipSync(data, { level: 9 })).toString("base64");
    if (base64.length < data.length) return { id, gzip: base64 };
  }
  const text = textOf(data);
  return text !== undefined ? { id, text } : { id, base64: Buffer.from(data).toString("base64") };
}

function sizeOf(blob: Blob): number {
  return "gzip" in blob ? blob.gzip.length : "base64" in blob ? blob.base64.length : 0;
}

/** The content of a blob. */
function dataOf(blob: Blob): Bytes | Digest {
  if ("text" in blob) return encoder.encode(blob.text);
  if ("base64" in blob) return Uint8Array.from(Buffer.from(blob.base64, "base64"));
  if ("gzip" in blob) return Uint8Array.from(gunzipSync(Buffer.from(blob.gzip, "base64")));
  return { length: blob.length, sha256: blob.sha256 };
}

function questionOf({ args, stdin, seekable, files, compare }: Question): Question {
  return {
    args,
    ...(stdin !== undefined && { stdin }),
    ...(seekable === true && { seekable }),
    ...(files !== undefined && { files }),
    ...(compare !== undefined && { compare }),
  };
}

/**
 * The cases of one tool with its answers, as in a data file: a JSON value a line, which README.md
 * describes. The same cases and answers always give the same text.
 */
export class Records {
  readonly tool: string;
  /** The first line of the tool's `--version`. */
  readonly version: string;
  readonly #blobs = new Map<string, Blob>();
  readonly #sets = new Map<string, FileSet>();
  readonly #rows = new Map<string, Row>();

  /** Records without cases. */
  constructor(tool: string, version: string) {
    this.tool = tool;
    this.version = version;
  }

  /** Reads the text of {@linkcode Records.toString}. */
  static parse(text: string): Records {
    const [head = "", ...lines] = text.trimEnd().split("\n");
    const { tool, version } = JSON.parse(head);
    const records = new Records(tool, version);
    for (const line of lines) {
      const value: Blob | FileSet | Row = JSON.parse(line);
      if ("args" in value) records.#rows.set(JSON.stringify(questionOf(value)), value);
      else if ("files" in value) records.#sets.set(value.id, value);
      else records.#blobs.set(value.id, value);
    }
    return records;
  }

  /** The number of cases. */
  get size(): number {
    return this.#rows.size;
  }

  /** Adds a case, with its answer if it is known. */
  add(test: GnuCase, answer?: GnuAnswer): void {
    const question = this.#question(test, true);
    const key = JSON.stringify(question);
    this.#rows.set(key, answer === undefined ? question : { ...question, ...this.#answer(answer) });
  }

  /** The answer to a case; `undefined` if none is recorded. */
  find(test: GnuCase): GnuAnswer | undefined {
    const row = this.#rows.get(JSON.stringify(this.#question(test, false)));
    return row === undefined ? undefined : this.#read(row);
  }

  /** All cases, with their answers if they are known. */
  *cases(): Generator<[test: GnuCase, answer: GnuAnswer | undefined]> {
    for (const [, row] of [...this.#rows].sort(([a], [b]) => a < b ? -1 : 1)) {
      const { args, seekable, compare } = row;
      const test: GnuCase = {
        args,
        ...(row.stdin !== undefined && { stdin: this.#bytes(row.stdin) }),
        ...(seekable === true && { seekable }),
        ...(row.files !== undefined && { files: this.#fileSet(row.files) }),
        ...(compare !== undefined && { compare }),
      };
      yield [test, this.#read(row)];
    }
  }

  /** The text of the data file. */
  toString(): string {
    const sorted = (values: Map<string, unknown>): string[] =>
      [...values].sort(([a], [b]) => a < b ? -1 : 1).map(([, value]) => JSON.stringify(value));
    const head = JSON.stringify({ tool: this.tool, version: this.version });
    const lines = [head, ...[this.#blobs, this.#sets, this.#rows].flatMap(sorted)];
    return `${lines.join("\n")}\n`;
  }

  /** The identifying part of a case; `keep` stores its data. */
  #question(
    { args, stdin = NOTHING, seekable, files = {}, compare }: GnuCase,
    keep: boolean,
  ): Question {
    const named = byName(files);
    let set: FileSet | undefined;
    if (named.length > 0) {
      const content = Object.fromEntries(named.map(([name, file]) => {
        const [data, mode] = file instanceof Uint8Array ? [file] : file;
        const id = keep ? this.#keep(data, false) : idOf(data);
        return [name, mode === undefined ? id : [id, mode] as const];
      }));
      set = { id: sha256(encoder.encode(JSON.stringify(content))).slice(0, 12), files: content };
      if (keep) this.#sets.set(set.id, set);
    }
    return questionOf({
      args,
      ...(stdin.length > 0 && { stdin: keep ? this.#keep(stdin, false) : idOf(stdin) }),
      ...(seekable === true && { seekable }),
      ...(set !== undefined && { files: set.id }),
      ...(compare !== undefined && { compare }),
    });
  }

  #answer({ stdout, stderr, status, files, executable }: GnuAnswer): Omit<Row, "args"> {
    const after = byName(files).map(([name, data]) => [name, this.#keep(data, false)]);
    return {
      status,
      ...(stdout.length > 0 && { stdout: this.#output(stdout) }),
      ...(stderr.length > 0 && { stderr: this.#output(stderr) }),
      ...(after.length > 0 && { after: Object.fromEntries(after) }),
      ...(executable.length > 0 && { executable: executable.toSorted() }),
    };
  }

  #output(data: Bytes | Digest): Output {
    if (!(data instanceof Uint8Array)) {
      const id = data.sha256.slice(0, 12);
      if (!this.#blobs.has(id)) this.#blobs.set(id, { id, ...data });
      return { blob: id };
    }
    const text = data.length <= INLINE ? textOf(data) : undefined;
    return text ?? { blob: this.#keep(data, true) };
  }

  /** Stores bytes once. With `digest`, the digest of large output is enough. */
  #keep(data: Bytes, digest: boolean): string {
    const id = idOf(data);
    const before = this.#blobs.get(id);
    if (before !== undefined && (digest || !("sha256" in before))) return id;
    const blob = blobOf(id, data);
    const large = digest && sizeOf(blob) > KEPT;
    this.#blobs.set(id, large ? { id, length: data.length, sha256: sha256(data) } : blob);
    return id;
  }

  #read(
    { status, stdout = "", stderr = "", after = {}, executable = [] }: Row,
  ): GnuAnswer | undefined {
    if (status === undefined) return undefined;
    const output = typeof stdout === "string" ? encoder.encode(stdout) : this.#content(stdout.blob);
    const errors = typeof stderr === "string" ? encoder.encode(stderr) : this.#bytes(stderr.blob);
    const files = Object.entries(after).map(([name, id]) => [name, this.#bytes(id)]);
    return {
      stdout: output,
      stderr: errors,
      status,
      files: Object.fromEntries(files),
      executable,
    };
  }

  #fileSet(id: string): Record<string, CaseFile> {
    const set = this.#sets.get(id);
    if (set === undefined) {
      throw new Error(`There are no files ${id} in the records of ${this.tool}`);
    }
    return Object.fromEntries(
      Object.entries(set.files).map(([name, file]) => [
        name,
        typeof file === "string" ? this.#bytes(file) : [this.#bytes(file[0]), file[1]] as const,
      ]),
    );
  }

  #content(id: string): Bytes | Digest {
    const blob = this.#blobs.get(id);
    if (blob === undefined) {
      throw new Error(`There is no blob ${id} in the records of ${this.tool}`);
    }
    return dataOf(blob);
  }

  #bytes(id: string): Bytes {
    const data = this.#content(id);
    if (data instanceof Uint8Array) return data;
    throw new Error(`Of blob ${id} in the records of ${this.tool} there is a digest only`);
  }
}
