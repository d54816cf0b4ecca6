import type { SubcommandPage } from "../../command_line/mod.ts";
import type { TextOutput } from "../print_text.ts";
import { AGENT_PAGE } from "./agent_page.ts";
import { DESKTOP_PAGE } from "./desktop_page.ts";
import { MOCK_PAGE } from "./mock_page.ts";
import { SERVE_PAGE } from "./serve_page.ts";

/** What runs a subcommand: its arguments and standard output in, its exit status out. */
export type RunSubcommand = (args: readonly string[], stdout: TextOutput) => Promise<number>;

/** A subcommand, and what runs it. */
export interface Subcommand extends SubcommandPage {
  /** Loads what runs it, only when it is called. */
  readonly load: () => Promise<RunSubcommand>;
}

/** All subcommands. */
export const SUBCOMMANDS: readonly Subcommand[] = [
  {
    word: "agent",
    about: "talk with the coding agent, here or in a pipe",
    page: AGENT_PAGE,
    load: async () => (await import("../agent/agent.ts")).runAgentCommand,
  },
  {
    word: "desktop",
    about: "chat with the coding agent in a window",
    page: DESKTOP_PAGE,
    load: async () => (await import("../desktop/desktop.ts")).runDesktop,
  },
  {
    word: "mock",
    about: "serve a mock language model for tests",
    page: MOCK_PAGE,
    load: async () => (await import("../mock_command.ts")).runMock,
  },
  {
    word: "serve",
    about: "serve a chat with the coding agent to the browser",
    page: SERVE_PAGE,
    load: async () => (await import("../serve_command.ts")).runServe,
  },
];
