import type { CommandSandbox, Session } from "../../coder/mod.ts";

/** Facts that a talk begins with. */
export interface StartFacts {
  readonly model: string;
  /** The working folder, absolute. */
  readonly root: string;
  readonly home: string | undefined;
  readonly sandbox: CommandSandbox | undefined;
  readonly session: Pick<Session, "id">;
  /** True if the session is stored. */
  readonly kept: boolean;
}

/** The first lines of a talk: model, folder, sandbox, session, and the way to help. */
export function startLine({ model, root, home, sandbox, session, kept }: StartFacts): string {
  const folder = home !== undefined && `${root}/`.startsWith(`${home}/`)
    ? `~${root.slice(home.length)}`
    : root;
  const confined = sandbox?.kind === "bwrap"
    ? `sandbox bwrap${sandbox.network ? "" : " without network"}`
    : "no sandbox";
  const id = kept ? `session ${session.id}` : "session not kept";
  return `${model} in ${folder}, ${confined}, ${id}\n/help lists the commands`;
}
