"use strict";

const { spawn } = require("node:child_process");
const { randomBytes } = require("node:crypto");
const { homedir } = require("node:os");
const path = require("node:path");
const process = require("node:process");

/** Milliseconds between two looks whether the server answers. */
const INTERVAL = 100;

/** Milliseconds that one answer may take. */
const PATIENCE = 2000;

/** Milliseconds that the server may take to stop all that it started. */
const GRACE = 10_000;

/** Milliseconds that it may take to end when it has never answered, and so started nothing. */
const GRACE_OF_SILENT = 2000;

/** Characters of what the server says that are kept. */
const MOST_SAID = 4096;

/**
 * A server that answers: one that was running already, or a child of this process.
 *
 * @typedef {object} OpenServer
 * @property {string} address Of the page, for the first visit.
 * @property {Promise<string>} ended Settles with why when the child has ended; never for one that
 *   was running already.
 * @property {() => Promise<void>} stop Ends the child, with all that it started. A server that was
 *   running already goes on.
 * @property {() => void} kill The same at once, as far as that is possible.
 */

/**
 * Finds the server or starts it, and waits until it answers.
 *
 * @param {import("./settings.js").Settings} settings
 * @param {AbortSignal} signal Stops the attempt.
 * @returns {Promise<OpenServer>}
 * @throws {Error} There is none: why, for the user.
 */
async function openServer(settings, signal) {
  const { origin, token } = settings;
  // Read at each attempt: a server that has been started meanwhile may have made it.
  const known = token ?? settings.keptToken();
  switch (await look(origin, known)) {
    case "ready":
      return {
        address: addressOf(origin, known),
        ended: new Promise(() => {}),
        stop: () => Promise.resolve(),
        kill() {},
      };
    case "locked":
      throw new Error(`The server at ${origin} asks for another token: set LLMCMD_SERVE_TOKEN`);
    case "other":
      throw new Error(
        `Another program is listening at ${origin}: end it, or set LLMCMD_DESKTOP_PORT`,
      );
  }
  const ownToken = token ?? randomBytes(32).toString("hex");
  const child = new Child(settings, ownToken);
  try {
    await child.untilReady(origin, ownToken, settings.timeout, signal);
  } catch (error) {
    await child.stop(GRACE_OF_SILENT);
    throw error;
  }
  return {
    address: addressOf(origin, ownToken),
    ended: child.ended,
    stop: () => child.stop(),
    kill: () => child.kill(),
  };
}

/** The server as a child process, which ends when its standard input does: also if this one dies. */
class Child {
  #process;
  #said = "";
  #reason;

  constructor({ program, args, folder }, token) {
    const { env } = process;
    this.#process = spawn(program, args, {
      cwd: folder,
      // Programs that a desktop starts don't have what a shell's start-up files add.
      env: {
        ...env,
        PATH: `${env.PATH ?? ""}${path.delimiter}${path.join(homedir(), ".deno", "bin")}`,
        LLMCMD_SERVE_TOKEN: token,
        NO_COLOR: "1",
      },
      stdio: ["pipe", "ignore", "pipe"],
      windowsHide: true,
    });
    this.#process.stdin.on("error", () => {});
    this.#process.stderr.setEncoding("utf8");
    this.#process.stderr.on("data", (text) => {
      this.#said = (this.#said + text).slice(-MOST_SAID);
    });
    this.ended = new Promise((resolve) => {
      const settle = (reason) => {
        this.#reason ??= reason;
        resolve(this.#reason);
      };
      this.#process.on("error", (error) => settle(startFailure(program, folder, error)));
      this.#process.on("close", (code, by) => {
        settle(this.#said.trim() || `It ended ${by ? `by ${by}` : `with status ${code}`}`);
      });
    });
  }

  /** Waits until it answers. */
  async untilReady(origin, token, timeout, signal) {
    const end = Date.now() + timeout;
    for (;;) {
      if (this.#reason !== undefined) throw new Error(this.#reason);
      signal.throwIfAborted();
      if (Date.now() >= end) {
        const said = this.#said.trim();
        throw new Error(
          `The server did not answer within ${timeout / 1000} s${said === "" ? "" : `: ${said}`}`,
        );
      }
      if (await look(origin, token) === "ready" && this.#reason === undefined) return;
      await Promise.race([this.ended, pause(INTERVAL)]);
    }
  }

  /** Ends it and waits for that. */
  async stop(grace = GRACE) {
    this.#process.stdin.end();
    const timer = setTimeout(() => this.kill(), grace);
    await this.ended;
    clearTimeout(timer);
  }

  kill() {
    this.#process.kill("SIGKILL");
  }
}

/**
 * What is there: `ready`, our server; `locked`, our server with another token; `other`, another
 * program; `none`.
 */
async function look(origin, token) {
  try {
    const response = await fetch(`${origin}/health`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE),
    });
    const { name, error } = await response.json();
    if (response.ok && name === "llmcmd") return "ready";
    return response.status === 401 && error?.message !== undefined ? "locked" : "other";
  } catch (error) {
    return error?.cause?.code === "ECONNREFUSED" ? "none" : "other";
  }
}

function addressOf(origin, token) {
  return token === undefined ? `${origin}/` : `${origin}/?token=${encodeURIComponent(token)}`;
}

function startFailure(program, folder, error) {
  if (error.code !== "ENOENT") return `Cannot start ${program}: ${error.message}`;
  return `Cannot start ${program} in ${folder}: it is not installed, or there is no such folder`;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

module.exports = { openServer };
