import { messageOf } from "../../base/mod.ts";
import { AgentError } from "../errors.ts";
import { isInside, joinPath } from "../paths.ts";
import type { ModelEntry } from "../registry/mod.ts";
import type { AgentFiles } from "../worktree/mod.ts";

/** Largest agent file, in characters. */
const MAX_CHARACTERS = 1024 ** 2;

/**
 * Reads the text of the entry's agent file; `undefined` if the entry has none, or the file does not
 * exist.
 *
 * @throws {AgentError} `repository` if the repository's folder is missing, or the file is a link to
 * a place outside it, cannot be read, or is too long.
 */
export async function readAgentFile(
  files: AgentFiles,
  { agentFile, repoPath, name }: ModelEntry,
): Promise<string | undefined> {
  const folder = await files.realPath(repoPath);
  if (folder === undefined) {
    throw new AgentError("repository", `The repoPath of ${name} is missing: ${repoPath}`);
  }
  if (agentFile === null) return undefined;
  const path = await files.realPath(joinPath(repoPath, agentFile));
  if (path === undefined) return undefined;
  if (!isInside(folder, path)) {
    throw new AgentError(
      "repository",
      `The agentFile of ${name} leads out of repoPath: ${agentFile}`,
    );
  }
  const text = await files.readText(path).catch((error: unknown) => {
    throw new AgentError(
      "repository",
      `The agentFile of ${name} cannot be read: ${agentFile}`,
      { detail: messageOf(error), cause: error },
    );
  });
  if (text !== undefined && text.length > MAX_CHARACTERS) {
    throw new AgentError(
      "repository",
      `The agentFile of ${name} is longer than ${MAX_CHARACTERS} characters: ${agentFile}`,
    );
  }
  return text;
}
