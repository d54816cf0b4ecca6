import type { PrivateFiles } from "../../ports/mod.ts";

/** The file operations that the gateway needs. */
export type AgentFiles = Omit<PrivateFiles, "create" | "isPrivate">;
