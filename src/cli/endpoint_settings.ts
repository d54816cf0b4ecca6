import { ConfigError } from "./config_file.ts";

/** The default endpoint. */
export const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/** What raises the times that the endpoint is waited for. */
export const PATIENCE_NAMES = {
  firstTokenTimeout: "LLMCMD_FIRST_TOKEN_TIMEOUT",
  maxRetryWait: "LLMCMD_MAX_RETRY_WAIT",
} as const;

/** A value and where it comes from, for messages. */
export interface Setting {
  readonly value: string;
  /** `the environment`, `the command line`, or the file's name. */
  readonly from: string;
  /** What it is called there, where that is not the variable's name. */
  readonly name?: string;
}

/** An address from the command line. */
export function baseUrlOption(value: string): Setting {
  return { value, from: "the command line", name: "--base-url" };
}

/** What to do about a key that is missing, if the endpoint at `baseUrl` may need none. */
export function dummyKeyHint(baseUrl: string): string {
  return baseUrl === DEFAULT_BASE_URL ? "" : "; any word will do for a server that asks for none";
}

/**
 * A key as it can stand in a header: without the newline that what prints keys may end with.
 *
 * @throws {ConfigError} It can't be a key.
 */
export function checkApiKey(name: string, { value, from }: Setting): string {
  const key = value.trim();
  // As `docker run --env-file` keeps them, which no shell reads.
  if (/^(["']).*\1$/.test(key)) {
    throw new ConfigError(
      `${name} in ${from} has quotes around it, which are sent: leave them out`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigError(`${name} in ${from} has a character that no key has, such as a space`);
  }
  return key;
}

/**
 * The address of an endpoint, if one is set.
 *
 * @throws {ConfigError} It is none.
 */
export function checkBaseUrl(name: string, setting: Setting | undefined): string | undefined {
  if (setting === undefined) return undefined;
  const url = URL.parse(setting.value);
  const called = setting.name ?? name;
  const wrong = (why: string) =>
    new ConfigError(`${called} in ${setting.from} ${why}, such as ${DEFAULT_BASE_URL}`);
  if (url === null || url.protocol !== "https:" && url.protocol !== "http:") {
    throw wrong("is not a web address: give one that begins with https:// or http://");
  }
  // The address is not shown, because the user name and password in it are secrets.
  if (url.username !== "" || url.password !== "") {
    throw wrong("has a user or password in it: give the key by itself, and an address");
  }
  return setting.value;
}
