import { parseSize, SIZES } from "./sizes.ts";

/** Reads the text of a setting, which has no blanks around it and is not empty. */
export type Rule<Value extends string | number> = (text: string) => Value | Refused;

/** The reason to refuse a text: the rest of a sentence that begins with `NAME in SOURCE`. */
export class Refused {
  /** Keeps the rest of the sentence. */
  constructor(readonly why: string) {}
}

/** The default endpoint. */
export const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/** Most seconds of a timer: 2 to the power of 31 milliseconds. */
const MOST_SECONDS = 2_147_483;

/** Takes any text. */
export function anyText(text: string): string {
  return text;
}

/** Takes a key, which must fit into an HTTP header. Errors do not show it. */
export function apiKey(text: string): string | Refused {
  // `docker run --env-file` keeps the quotes around a value.
  if (/^(["']).*\1$/.test(text)) {
    return new Refused("has quotes around it, which are sent: leave them out");
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return new Refused("has a character that no key has, such as a space");
  }
  return text;
}

/** Takes the address of an endpoint. Errors do not show it, because it may contain a password. */
export function webAddress(text: string): string | Refused {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "https:" && url.protocol !== "http:") {
    return new Refused(
      "is not a web address: give one that begins with https:// or http://, " +
        `such as ${DEFAULT_BASE_URL}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    return new Refused(
      "has a user or password in it: give the key by itself, and an address, " +
        `such as ${DEFAULT_BASE_URL}`,
    );
  }
  return text;
}

/** Takes a number of bytes, which may have a unit. */
export const bytes: Rule<number> = numberRule(`${SIZES}, at least 1`, parseSize, 1);

/** Takes seconds above 0, which may have a fraction. */
export const seconds: Rule<number> = numberRule(
  `a number of seconds above 0, at most ${MOST_SECONDS}`,
  parseDecimal,
  Number.MIN_VALUE,
  MOST_SECONDS,
);

/** Takes seconds, which may be 0 or have a fraction. */
export const secondsOrNone: Rule<number> = numberRule(
  `a number of seconds from 0 to ${MOST_SECONDS}`,
  parseDecimal,
  0,
  MOST_SECONDS,
);

/** Takes a whole number; `ofWhat` ends the sentence in errors, such as `calls, at least 1`. */
export function wholeNumber(ofWhat: string, least: number): Rule<number> {
  return numberRule(
    `a whole number of ${ofWhat}`,
    (text) => /^\d+$/.test(text) ? Number(text) : undefined,
    least,
  );
}

function parseDecimal(text: string): number | undefined {
  return /^\d*\.?\d+$/.test(text) ? Number(text) : undefined;
}

function numberRule(
  what: string,
  read: (text: string) => number | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): Rule<number> {
  return (text) => {
    const number = read(text);
    return number === undefined || number < least || number > most
      ? new Refused(`is ${JSON.stringify(text)}: give ${what}`)
      : number;
  };
}
