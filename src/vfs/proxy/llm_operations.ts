import { linkAbort } from "../../streams/mod.ts";
import { toBase64 } from "./base64.ts";
import { ProxyError } from "./errors.ts";
import type { LlmTask, ProxyLlm } from "./llm.ts";
import { AnswerSink, handleSink, HandleSource } from "./_llm_streams.ts";
import type { Answer, ProxyConnection } from "./connection.ts";
import { flagOf, numberOf, pathOf } from "./params.ts";
import type { Params } from "./protocol.ts";

/** Most input files of a task. */
const MOST_FILES = 64;

/** Most tasks of a connection at a time: each keeps its files open. */
const MOST_TASKS = 8;

/** Exit status of a command whose reader has left, as a shell reports SIGPIPE. */
const READER_GONE = 141;

function llmOf({ llm }: ProxyConnection): ProxyLlm {
  if (llm === undefined) throw new ProxyError("E_UNSUPPORTED", "this server has no LLM");
  if (llm !== "denied") return llm;
  throw new ProxyError("E_PERM", "this connection may not use the LLM: allow it with --llm");
}

/** `QUOTA`: the current budget. */
export async function quota(connection: ProxyConnection): Promise<Answer> {
  return { fields: { ...await llmOf(connection).quota() } };
}

/** `LLMCMD`: runs a task whose descriptors are handles and files of this connection. */
export async function llmcmd(connection: ProxyConnection, params: Params): Promise<Answer> {
  const llm = llmOf(connection);
  const prompt = pathOf(params, "prompt");
  const topLevel = params["top_level"] === undefined || flagOf(params, "top_level");
  const stdin = handleOf(connection, params, "stdin");
  const stdout = handleOf(connection, params, "stdout");
  const stderr = handleOf(connection, params, "stderr");
  const answer = new AnswerSink();
  if (connection.tasks >= MOST_TASKS) {
    throw new ProxyError("E_RANGE", `${MOST_TASKS} tasks are running: wait for one`);
  }
  connection.tasks++;
  const stop = new AbortController();
  const unlink = linkAbort(connection.over, stop);
  // A task that waits for its model writes nothing, and so would not notice the close.
  const unwatch = stdout === undefined
    ? () => {}
    : connection.handles.watch(stdout, () => stop.abort(new Error("its output was closed")));
  let files: LlmTask["files"] = [];
  try {
    files = await openFiles(connection, params);
    const { exitCode, message, usage } = await llm.run({
      ...{ prompt, topLevel, files, signal: stop.signal },
      stdin: stdin === undefined ? undefined : new HandleSource(connection, stdin),
      stdout: stdout === undefined ? answer : handleSink(connection, stdout),
      stderr: stderr === undefined ? undefined : handleSink(connection, stderr),
    });
    const closed = stop.signal.aborted && !connection.over.aborted;
    return {
      fields: {
        exit_code: closed ? READER_GONE : exitCode,
        ...(stdout === undefined ? { data: toBase64(answer.bytes()) } : {}),
        ...(message === undefined ? {} : { message }),
        usage,
        quota: await llm.quota(),
      },
    };
  } finally {
    connection.tasks--;
    unwatch();
    unlink();
    await close(files);
  }
}

/** Returns the handle in a field, if given, after checking that it can serve as a descriptor. */
function handleOf(connection: ProxyConnection, params: Params, name: string): number | undefined {
  if (params[name] === undefined || params[name] === null) return undefined;
  return usable(connection, numberOf(params, name), name === "stdin");
}

function usable({ handles, stdio }: ProxyConnection, handle: number, reads: boolean): number {
  if (stdio.has(handle)) {
    stdio.require(handle, reads);
    return handle;
  }
  const { opened, mode } = handles.get(handle);
  const fits = reads
    ? opened.kind === "pipe to read" || opened.kind === "file" && (mode === "r" || mode === "rw")
    : opened.kind !== "listing" && mode !== "r";
  if (fits) return handle;
  const what = reads ? "reading" : "writing";
  throw new ProxyError("E_PERM", `handle ${handle} was not opened for ${what}`);
}

/** Opens the files first: an unreadable one is refused before the model is called. */
async function openFiles(connection: ProxyConnection, params: Params): Promise<LlmTask["files"]> {
  const { files = [] } = params;
  if (!Array.isArray(files)) throw new ProxyError("E_ARG", "files is not a list");
  if (files.length > MOST_FILES) {
    throw new ProxyError("E_RANGE", `${files.length} files are given, more than ${MOST_FILES}`);
  }
  const opened: { name: string; source: LlmTask["files"][number]["source"] }[] = [];
  try {
    for (const file of files) {
      if (typeof file === "number") {
        const handle = usable(connection, numberOf({ file }, "file"), true);
        const name = connection.stdio.has(handle) ? "stdin" : connection.handles.get(handle).path;
        opened.push({ name, source: new HandleSource(connection, handle) });
      } else {
        const name = pathOf({ file }, "file");
        opened.push({ name, source: await connection.vfs.read(name) });
      }
    }
  } catch (error) {
    await close(opened);
    throw error;
  }
  return opened;
}

async function close(files: LlmTask["files"]): Promise<void> {
  await Promise.allSettled(files.map(({ source }) => source.return()));
}
