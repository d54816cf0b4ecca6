import type { PrivateFiles } from "../../ports/mod.ts";

/** Files as the gateway needs them. */
export type AgentFiles = Omit<PrivateFiles, "create" | "isPrivate">;
