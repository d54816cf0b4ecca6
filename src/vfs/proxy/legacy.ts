import { joinBytes } from "../../base/mod.ts";
import { toBase64 } from "./base64.ts";
import { ProxyError } from "./errors.ts";
import type { FrameReader } from "./frames.ts";
import type { Answer, ProxyConnection } from "./connection.ts";
import { MOST_CHUNK, type Params } from "./protocol.ts";

/** Most bytes of a command's line. */
const MOST_LINE = 8192;

/** The parts of a connection that the text protocol uses. */
export interface TextConnection extends ProxyConnection {
  /** Runs an operation of the JSON protocol, or records its refusal with the given error. */
  perform(op: string, params: Params | ProxyError): Promise<Answer | ProxyError>;
  /** Sends bytes. */
  reply(bytes: Uint8Array): Promise<void>;
}

/** A reply. `over` is true if commands can no longer be distinguished from data. */
interface Reply {
  readonly status: "OK" | "ERROR";
  readonly text?: string | undefined;
  readonly data?: Uint8Array | undefined;
  readonly over?: boolean | undefined;
}

type TextCommand = (words: readonly string[], text: TextProtocol) => Promise<Reply>;

/** True if a connection with that first byte uses the text protocol: a letter from A to Z. */
export function isLegacy(first: number | undefined): boolean {
  return first !== undefined && first >= 65 && first <= 90;
}

/** Serves the commands of the legacy text protocol one after another, until the end. */
export async function serveLegacy(
  connection: TextConnection,
  reader: FrameReader,
): Promise<void> {
  const text = new TextProtocol(connection, reader);
  while (await text.next());
}

/** One client of the text protocol. */
class TextProtocol {
  readonly connection: TextConnection;
  readonly #reader: FrameReader;

  constructor(connection: TextConnection, reader: FrameReader) {
    this.connection = connection;
    this.#reader = reader;
    connection.chunk = MOST_CHUNK;
  }

  /** Answers a command; resolves to true if another one can follow. */
  async next(): Promise<boolean> {
    const line = await this.#reader.line(MOST_LINE);
    if (line === undefined) {
      if (await this.#reader.peek() === undefined) return false;
      await this.#send(await this.refuse("?", `no line feed within ${MOST_LINE} bytes`));
      return false;
    }
    const reply = await this.#answer(new TextDecoder().decode(line));
    await this.#send(reply);
    return reply.over !== true;
  }

  async #answer(line: string): Promise<Reply> {
    const [name = "", ...words] = line.split(/[ \t\r]+/).filter((word) => word !== "");
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (name === "") return await this.refuse("?", "empty request");
    if (command !== undefined) return await command(words, this);
    const message = `unknown command: ${name.slice(0, 40)}`;
    return { ...await this.refuse("?", message), over: !/^[A-Z]/.test(name) };
  }

  /** Runs an operation; `made` turns its answer into a reply. */
  async perform(
    op: string,
    params: Params | ProxyError,
    made: (answer: Answer) => Reply = () => ({ status: "OK" }),
  ): Promise<Reply> {
    const answer = await this.connection.perform(op, params);
    if (!(answer instanceof ProxyError)) return made(answer);
    return { status: "ERROR", text: answer.message.replaceAll("\n", " ") };
  }

  /** Refuses a command that is not a valid operation. */
  refuse(op: string, message: string): Promise<Reply> {
    return this.perform(op, new ProxyError("E_ARG", message));
  }

  /** Reads the data after a command's line; `undefined` at the end of the connection. */
  data(size: number): Promise<Uint8Array | undefined> {
    return this.#reader.bytes(size);
  }

  async #send({ status, text, data }: Reply): Promise<void> {
    const line = new TextEncoder().encode(
      text === undefined ? `${status}\n` : `${status} ${text}\n`,
    );
    await this.connection.reply(data === undefined ? line : joinBytes([line, data]));
  }
}

function numberIn(word: string): number | undefined {
  return /^\d{1,15}$/.test(word) ? Number(word) : undefined;
}

const COMMANDS: Readonly<Record<string, TextCommand>> = {
  async OPEN([path, mode, topLevel = "true"], text) {
    if (path === undefined || mode === undefined) {
      return await text.refuse("open", "OPEN requires filename and mode");
    }
    if (topLevel !== "true" && topLevel !== "false") {
      return await text.refuse("open", `invalid is_top_level: ${topLevel.slice(0, 40)}`);
    }
    return await text.perform("open", { path, mode }, (answer) => {
      const handle = answer.bytes === undefined ? Number(answer.fields?.["handle"]) : NaN;
      text.connection.handles.get(handle).topLevel = topLevel === "true";
      return { status: "OK", text: String(handle) };
    });
  },

  async READ([fileno, size], text) {
    if (fileno === undefined || size === undefined) {
      return await text.refuse("read", "READ requires fileno and size");
    }
    const [h, max] = [numberIn(fileno), numberIn(size)];
    if (h === undefined) return await text.refuse("read", `invalid fileno: ${fileno}`);
    if (max === undefined || max === 0 || max > MOST_CHUNK) {
      return await text.refuse("read", `invalid size: ${size}`);
    }
    return await text.perform("read", { h, max }, (answer) => {
      if (answer.bytes === undefined) return { status: "OK", text: "0" };
      const data = answer.bytes.slice(0, answer.length);
      text.connection.giveBack(answer.bytes);
      return { status: "OK", text: String(data.length), data };
    });
  },

  async WRITE([fileno, size], text) {
    if (fileno === undefined || size === undefined) {
      return await text.refuse("write", "WRITE requires fileno and size");
    }
    const [h, count] = [numberIn(fileno), numberIn(size)];
    if (count === undefined || count > MOST_CHUNK) {
      // The end of its data is unknown.
      return { ...await text.refuse("write", `invalid size: ${size}`), over: true };
    }
    const data = await text.data(count);
    if (data === undefined) {
      return { ...await text.refuse("write", "the data ended too soon"), over: true };
    }
    if (h === undefined) return await text.refuse("write", `invalid fileno: ${fileno}`);
    const done = (): Reply => ({ status: "OK", text: String(count) });
    return await text.perform("write", { h, data: toBase64(data) }, done);
  },

  async CLOSE([fileno], text) {
    if (fileno === undefined) return await text.refuse("close", "CLOSE requires fileno");
    const h = numberIn(fileno);
    if (h === undefined) return await text.refuse("close", `invalid fileno: ${fileno}`);
    return await text.perform("close", { h });
  },

  async LLM_CHAT(words, text) {
    const message = "LLM_CHAT is not served as text: use the JSON operation LLMCMD";
    const reply = await text.refuse("LLM_CHAT", message);
    const [files, prompt] = [numberIn(words[4] ?? ""), numberIn(words[5] ?? "")];
    if (files === undefined || prompt === undefined || files + prompt > MOST_CHUNK) {
      return { ...reply, over: words.length > 0 };
    }
    return { ...reply, over: await text.data(files + prompt) === undefined };
  },

  async LLM_QUOTA(_words, text) {
    const message = "LLM_QUOTA is not served as text: use the JSON operation QUOTA";
    return await text.refuse("LLM_QUOTA", message);
  },
};
