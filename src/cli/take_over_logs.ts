import { messageOf } from "../base/mod.ts";
import {
  encodeRecord,
  newSession,
  parseSessionLog,
  resume,
  sessionLabel,
  type SessionRecord,
  turnChange,
} from "../coder/mod.ts";
import type { SessionStore } from "../store/mod.ts";
import {
  appendFile,
  changedAt,
  isMissing,
  listFolder,
  pathKind,
  readTextFile,
  renameFile,
} from "../sys/mod.ts";

const SUFFIX = ".jsonl";
/** What is added to the name of a file that was taken over. */
const TAKEN = ".old";
/** Sessions are text: larger ones are none of ours. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Puts the sessions of earlier versions of `llmcmd agent`, a file of JSONL each, into a store. A file
 * stays where it is, with `.old` behind its name, so that it is taken over once. Lines that are
 * broken are left out and told; an incomplete last one is what a kill leaves.
 *
 * What was begun and not ended is finished the next time: only lines that are not there are added.
 */
export async function takeOverLogs(
  folder: string,
  store: SessionStore,
  warn: (message: string) => void,
): Promise<void> {
  for (const path of await logsIn(folder)) {
    try {
      const problem = await takeOver(path, store);
      if (problem !== undefined) warn(problem);
    } catch (error) {
      warn(`this session could not be taken over: ${messageOf(error)}`);
    }
  }
}

async function logsIn(folder: string): Promise<string[]> {
  try {
    return await listFolder(folder, SUFFIX) ?? [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Resolves to what the user should know. */
async function takeOver(path: string, store: SessionStore): Promise<string | undefined> {
  // The lock is that of the program that writes the log.
  const file = await appendFile(path);
  if (file === undefined) return `${path} is open in another program: it is taken over later`;
  try {
    const { kept, problems } = readLog(await readTextFile(path, MOST_BYTES));
    if (kept[0]?.record.type === "session_start") {
      await add(nameOf(path), kept, await changedAt(path), store);
    } else if (kept.length + problems.length > 0) {
      problems.unshift("it does not begin with session_start, so nothing of it can be continued");
    }
    const old = freeName(path + TAKEN);
    await renameFile(path, old);
    return problems.length === 0
      ? undefined
      : `a session was taken over without what is broken: ${old}: ${problems.join("; ")}`;
  } finally {
    file.close();
  }
}

function freeName(path: string): string {
  let name = path;
  for (let count = 2; ["file", "folder"].includes(pathKind(name)); count++) {
    name = `${path}.${count}`;
  }
  return name;
}

/** The name that a log's file gives its session, if it can be one. */
function nameOf(path: string): string | undefined {
  return /^([\w-]{1,64})\.jsonl$/.exec(path.replace(/.*\//, ""))?.[1];
}

interface Line {
  readonly line: string;
  readonly record: SessionRecord;
}

function readLog(text: string): { kept: Line[]; problems: string[] } {
  const kept: Line[] = [];
  const problems: string[] = [];
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    // What has no end of line is the last, and may have been cut by a kill.
    const parsed = parseSessionLog(at === lines.length - 1 ? line : `${line}\n`);
    const [record] = parsed.records;
    if (record !== undefined) kept.push({ line: `${line}\n`, record });
    problems.push(...parsed.problems.map((it) => it.replace(/^Line \d+/, `Line ${at + 1}`)));
  }
  return { kept, problems };
}

async function add(
  name: string | undefined,
  log: readonly Line[],
  changed: number,
  store: SessionStore,
): Promise<void> {
  const session = resume(log.map(({ record }) => record));
  const { root, model } = session;
  const freshName = () => newSession({ root, model }).session.id;
  let id = name ?? freshName();
  let lines = linesOf(log, id);
  let there = await store.lines(id);
  if (there.some((line, at) => at < lines.length && line !== lines[at])) {
    // Another session has that name.
    id = freshName();
    lines = linesOf(log, id);
    there = [];
  }
  const [first = ""] = lines;
  const began = Date.parse(session.created);
  const time = Number.isNaN(began) ? changed : began;
  // Not waiting in between, so that it is one transaction.
  const writes: Promise<unknown>[] = [store.create({
    ...{ id, owner: "", root, time },
    first: { line: first, title: sessionLabel(session) },
  })];
  for (const [at, { record }] of log.entries()) {
    if (at < Math.max(1, there.length)) continue;
    writes.push(store.append(id, lines[at] ?? "", changed, turnChange(record)));
  }
  await Promise.all(writes);
}

/** The lines of a log under a name, which its first line has too. */
function linesOf(log: readonly Line[], id: string): string[] {
  return log.map(({ line, record }) =>
    record.type === "session_start" && record.id !== id ? encodeRecord({ ...record, id }) : line
  );
}
