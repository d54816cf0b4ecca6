"use strict";

const { readFileSync } = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const process = require("node:process");

/**
 * What the app was told by the environment.
 *
 * @param {{ isPackaged: boolean }} app
 * @returns {Settings}
 *
 * @typedef {object} Settings
 * @property {string} origin Where the server is.
 * @property {string} program What starts it.
 * @property {string[]} args Its arguments.
 * @property {string} folder Where the agent works.
 * @property {string | undefined} token What a server asks for, if the environment says so.
 * @property {() => string | undefined} keptToken What this user's servers ask for otherwise.
 * @property {number} timeout Milliseconds that a server may take to answer.
 */
function readSettings(app) {
  const { env } = process;
  const port = number("LLMCMD_DESKTOP_PORT", env.LLMCMD_DESKTOP_PORT || "8765", 65535);
  const seconds = number("LLMCMD_DESKTOP_TIMEOUT", env.LLMCMD_DESKTOP_TIMEOUT || "30", 3600);
  const command = env.LLMCMD_DESKTOP_COMMAND;
  const [program, ...args] = command ? [command] : [
    "deno",
    "run",
    "--quiet",
    "--no-prompt",
    "--allow-all",
    app.isPackaged
      ? path.join(process.resourcesPath, "llmcmd", "cli_lazy.js")
      : path.join(__dirname, "..", "cli.ts"),
  ];
  return {
    origin: `http://127.0.0.1:${port}`,
    program,
    args: [...args, "serve", `--port=${port}`, "--until-eof"],
    folder: env.LLMCMD_DESKTOP_FOLDER || usualFolder(app),
    token: env.LLMCMD_SERVE_TOKEN || undefined,
    keptToken: () => readKey(env),
    timeout: seconds * 1000,
  };
}

/** The key that `llmcmd serve` keeps for this user, if it has been made. */
function readKey({ XDG_STATE_HOME: xdg, HOME: home }) {
  const state = xdg?.startsWith("/") ? xdg : path.join(home || os.homedir(), ".local", "state");
  try {
    return readFileSync(path.join(state, "llmcmd", "key"), "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The folder around this one, or where the packaged app was started; a launcher starts it at /. */
function usualFolder(app) {
  if (!app.isPackaged) return path.join(__dirname, "..");
  const folder = process.cwd();
  return folder === path.parse(folder).root ? os.homedir() : folder;
}

function number(name, text, most) {
  const value = Number(text);
  if (!(Number.isInteger(value) && value > 0 && value <= most)) {
    throw new RangeError(`${name} is '${text}': set it to a number from 1 to ${most}`);
  }
  return value;
}

module.exports = { readSettings };
