import { nameOnOneLine } from "../../base/mod.ts";
import type { ApprovalRequest, AskUser } from "../../coder/mod.ts";
import { pathKind } from "../../sys/mod.ts";

/** What is said where nobody can be asked. */
export function otherwise({ kind, what, why }: ApprovalRequest): string {
  let folder = parentOf(what);
  while (folder !== "/" && pathKind(folder) === "missing") folder = parentOf(folder);
  const way = kind === "write" && why?.startsWith("it is outside") === true && folder !== "/"
    ? `--allow-dir ${nameOnOneLine(folder)} or --yes`
    : "--yes";
  return `nobody can be asked here, but the user can start this again with ${way}`;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/**
 * Tells the user what was refused because nobody can be asked, and gives what the model is told. The
 * plain lines of a pipe show calls without their results, so that a call would seem to have worked.
 */
export function noToAll(
  warn: (message: string) => void,
): (request: ApprovalRequest) => string {
  return (request) => {
    const told = otherwise(request);
    const { kind, what } = request;
    const verb = kind === "command" ? "run" : kind;
    warn(`the agent was not allowed to ${verb} ${nameOnOneLine(what)}: ${told}`);
    return told;
  };
}

/** Allows everything, and tells what would have been asked for. */
export function yesToAll(warn: (message: string) => void): AskUser {
  return ({ kind, what, why }) => {
    if (why !== undefined) warn(`--yes allows to ${kind} ${nameOnOneLine(what)}: ${why}`);
    return Promise.resolve("once");
  };
}
