import type { CommandPage, SubcommandPage } from "../../command_line/mod.ts";
import type { TextOutput } from "../print_text.ts";
import type { AGENT_PAGE } from "./agent_page.ts";
import type { ATTACH_PAGE } from "./attach_page.ts";
import type { DESKTOP_PAGE } from "./desktop_page.ts";
import type { FSPROXY_PAGE } from "./fsproxy_page.ts";
import type { MCP_PAGE } from "./mcp_page.ts";
import type { MOCK_PAGE } from "./mock_page.ts";
import type { OVERLAY_PAGE } from "./overlay_page.ts";
import type { PROXY_PAGE } from "./proxy_page.ts";
import type { SERVE_PAGE } from "./serve_page.ts";

/** What runs a subcommand: its arguments and standard output in, its exit status out. */
export type RunSubcommand = (args: readonly string[], stdout: TextOutput) => Promise<number>;

/**
 * A subcommand: first word of the command line. Its page and what runs it are loaded when they are
 * needed, so that nothing else starts slower for it.
 */
export interface Subcommand {
  /** The word. */
  readonly word: string;
  /** One line for the help of llmcmd. */
  readonly about: string;
  /** Loads its page. */
  readonly page: () => Promise<CommandPage>;
  /** Loads what runs it. */
  readonly load: () => Promise<RunSubcommand>;
}

/** The page of `llmcmd agent`. */
export async function agentPage(): Promise<typeof AGENT_PAGE> {
  return (await import("./agent_page.ts")).AGENT_PAGE;
}
/** The page of `llmcmd attach`. */
export async function attachPage(): Promise<typeof ATTACH_PAGE> {
  return (await import("./attach_page.ts")).ATTACH_PAGE;
}
/** The page of `llmcmd desktop`. */
export async function desktopPage(): Promise<typeof DESKTOP_PAGE> {
  return (await import("./desktop_page.ts")).DESKTOP_PAGE;
}
/** The page of `llmcmd fsproxy`. */
export async function fsproxyPage(): Promise<typeof FSPROXY_PAGE> {
  return (await import("./fsproxy_page.ts")).FSPROXY_PAGE;
}
/** The page of `llmcmd mcp`. */
export async function mcpPage(): Promise<typeof MCP_PAGE> {
  return (await import("./mcp_page.ts")).MCP_PAGE;
}
/** The page of `llmcmd mock`. */
export async function mockPage(): Promise<typeof MOCK_PAGE> {
  return (await import("./mock_page.ts")).MOCK_PAGE;
}
/** The page of `llmcmd overlay`. */
export async function overlayPage(): Promise<typeof OVERLAY_PAGE> {
  return (await import("./overlay_page.ts")).OVERLAY_PAGE;
}
/** The page of `llmcmd serve`. */
export async function servePage(): Promise<typeof SERVE_PAGE> {
  return (await import("./serve_page.ts")).SERVE_PAGE;
}

/** The page of `llmcmd proxy`. */
export async function proxyPage(): Promise<typeof PROXY_PAGE> {
  return (await import("./proxy_page.ts")).PROXY_PAGE;
}

/** All subcommands. */
export const SUBCOMMANDS: readonly Subcommand[] = [
  {
    word: "agent",
    about: "talk with the coding agent, here or in a pipe",
    page: agentPage,
    load: async () => (await import("../agent/agent.ts")).runAgentCommand,
  },
  {
    word: "attach",
    about: "join a terminal session of an agent, to see it and type into it",
    page: attachPage,
    load: async () => (await import("../attach/attach.ts")).runAttach,
  },
  {
    word: "desktop",
    about: "chat with the coding agent in a window",
    page: desktopPage,
    load: async () => (await import("../desktop/desktop.ts")).runDesktop,
  },
  {
    word: "fsproxy",
    about: "run a program that reaches files through its descriptor 3 alone",
    page: fsproxyPage,
    load: async () => (await import("../fsproxy/fsproxy.ts")).runFsproxy,
  },
  {
    word: "mcp",
    about: "offer this machine's shell to MCP clients",
    page: mcpPage,
    load: async () => (await import("../mcp/mcp.ts")).runMcp,
  },
  {
    word: "mock",
    about: "serve a mock language model for tests",
    page: mockPage,
    load: async () => (await import("../mock_command.ts")).runMock,
  },
  {
    word: "overlay",
    about: "look at what fsproxy --overlay kept, apply it or discard it",
    page: overlayPage,
    load: async () => (await import("../overlay/overlay.ts")).runOverlay,
  },
  {
    word: "proxy",
    about: "serve CLI agents such as codex as models of the OpenAI API",
    page: proxyPage,
    load: async () => (await import("../gateway/gateway.ts")).runProxy,
  },
  {
    word: "serve",
    about: "serve a chat with the coding agent to the browser",
    page: servePage,
    load: async () => (await import("../serve_command.ts")).runServe,
  },
];

/** All subcommands with their pages, for what tells of all at once. */
export async function allPages(): Promise<SubcommandPage[]> {
  return await Promise.all(
    SUBCOMMANDS.map(async ({ word, about, page }) => ({ word, about, page: await page() })),
  );
}
