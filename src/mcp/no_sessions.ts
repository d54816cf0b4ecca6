import type { SessionPort } from "../ports/mod.ts";

/** A machine on which terminal sessions can't be had: `reason` says what is missing. */
export function noSessions(reason: string): SessionPort {
  return {
    unavailable: reason,
    start: () => Promise.reject(new Error(reason)),
    get: () => undefined,
    list: () => [],
    stopAll: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
