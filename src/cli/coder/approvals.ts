import { nameOnOneLine } from "../../base/mod.ts";
import type { ApprovalRequest, AskUser } from "../../coder/mod.ts";
import { pathKind } from "../../sys/mod.ts";

/** The message to the model if nobody can be asked. */
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
 * Refuses every request: warns the user and returns the message to the model. Plain output shows
 * calls without their results, so a refused call would look as if it had worked.
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

/** Allows every request, and warns of those beyond the boundary. */
export function yesToAll(warn: (message: string) => void): AskUser {
  return ({ kind, what, why }) => {
    if (why !== undefined) warn(`--yes allows to ${kind} ${nameOnOneLine(what)}: ${why}`);
    return Promise.resolve("once");
  };
}
