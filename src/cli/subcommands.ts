import type { CommandPage, SubcommandPage } from "../command_line/mod.ts";
import type { TextOutput } from "./pages/pages.ts";

/** Runs a subcommand with its arguments and standard output; resolves to the exit status. */
export type RunSubcommand = (args: readonly string[], stdout: TextOutput) => Promise<number>;

/**
 * A subcommand, named by the first word of the command line. Its page and its code are imported
 * only when needed, which keeps the start fast.
 */
export interface Subcommand {
  /** The word. */
  readonly word: string;
  /** One line for the help of llmcmd. */
  readonly about: string;
  /** True for a command that needs other programs. */
  readonly startsPrograms?: boolean;
  /** Imports its help page. */
  readonly page: () => Promise<CommandPage>;
  /** Imports its code. */
  readonly load: () => Promise<RunSubcommand>;
}

/** All subcommands. */
export const SUBCOMMANDS: readonly Subcommand[] = [
  {
    word: "agent",
    about: "talk with the coding agent, here or in a pipe",
    startsPrograms: true,
    page: async () => (await import("./agent/mod.ts")).AGENT_PAGE,
    load: async () => (await import("./agent/agent.ts")).runAgentCommand,
  },
  {
    word: "attach",
    about: "join a terminal session of an agent, to see it and type into it",
    page: async () => (await import("./attach/mod.ts")).ATTACH_PAGE,
    load: async () => (await import("./attach/attach.ts")).runAttach,
  },
  {
    word: "desktop",
    about: "chat with the coding agent in a window",
    startsPrograms: true,
    page: async () => (await import("./desktop/mod.ts")).DESKTOP_PAGE,
    load: async () => (await import("./desktop/desktop.ts")).runDesktop,
  },
  {
    word: "fsproxy",
    about: "run a program that reaches files through its descriptor 3 alone",
    startsPrograms: true,
    page: async () => (await import("./fsproxy/mod.ts")).FSPROXY_PAGE,
    load: async () => (await import("./fsproxy/fsproxy.ts")).runFsproxy,
  },
  {
    word: "mcp",
    about: "offer this machine's shell to MCP clients",
    startsPrograms: true,
    page: async () => (await import("./mcp/mod.ts")).MCP_PAGE,
    load: async () => (await import("./mcp/mcp.ts")).runMcp,
  },
  {
    word: "mock",
    about: "serve a mock language model for tests",
    page: async () => (await import("./mock/mod.ts")).MOCK_PAGE,
    load: async () => (await import("./mock/mock.ts")).runMock,
  },
  {
    word: "overlay",
    about: "look at what fsproxy --overlay kept, apply it or discard it",
    page: async () => (await import("./overlay/mod.ts")).OVERLAY_PAGE,
    load: async () => (await import("./overlay/overlay.ts")).runOverlay,
  },
  {
    word: "proxy",
    about: "serve CLI agents such as codex as models of the OpenAI API",
    startsPrograms: true,
    page: async () => (await import("./gateway/mod.ts")).PROXY_PAGE,
    load: async () => (await import("./gateway/gateway.ts")).runProxy,
  },
  {
    word: "serve",
    about: "serve a chat with the coding agent to the browser",
    startsPrograms: true,
    page: async () => (await import("./serve/mod.ts")).SERVE_PAGE,
    load: async () => (await import("./serve/serve.ts")).runServe,
  },
];

/** All subcommands with their pages. */
export async function allPages(): Promise<SubcommandPage[]> {
  return await Promise.all(
    SUBCOMMANDS.map(async ({ word, about, page }) => ({ word, about, page: await page() })),
  );
}
