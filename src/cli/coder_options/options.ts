import { choice, flag, list, value } from "../../command_line/mod.ts";
import { wholeNumber, words } from "../pages/pages.ts";
import { helpOf, SETTINGS } from "../settings/mod.ts";

/** The options of every command that runs the coding agent. */
export const CODER_OPTIONS = [
  choice("sandbox", {
    argument: "KIND",
    help: "confine commands: auto, bwrap or none (auto)",
    words: ["auto", "bwrap", "none"],
    usual: "auto",
  }),
  list("allow-dir", {
    argument: "FOLDER",
    help: "let files be changed in this folder, too; may be repeated",
    complete: "file",
  }),
  flag("no-network", { help: "keep commands from the network; needs the sandbox" }),
  choice("ask", {
    argument: "CALLS",
    help: "ask the user before each command, or before all calls: never, commands or all (never)",
    words: ["never", "commands", "all"],
    usual: "never",
  }),
  flag("yes", { help: "allow without asking, also what is outside of these folders" }),
  value("base-url", { argument: "URL", help: "use this endpoint", read: words }),
  value("model", { argument: "NAME", help: "use this model", read: words }),
] as const;

/** The options that set the limits of a turn. */
export const LIMIT_OPTIONS = [
  value("max-calls", {
    argument: "N",
    help: helpOf(SETTINGS.turnCalls, "agent"),
    read: wholeNumber(1),
  }),
  value("max-tokens", {
    argument: "N",
    help: helpOf(SETTINGS.turnTokens, "agent"),
    read: wholeNumber(0),
  }),
  value("context", {
    argument: "N",
    help: helpOf(SETTINGS.contextTokens, "agent"),
    read: wholeNumber(1),
  }),
  value("bash-timeout", {
    argument: "SECONDS",
    help: helpOf(SETTINGS.bashSeconds, "agent"),
    read: wholeNumber(1),
  }),
] as const;
