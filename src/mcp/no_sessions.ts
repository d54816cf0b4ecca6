import type { SessionPort } from "../ports/mod.ts";

/** The port of a machine without terminal sessions; `reason` names the missing part. */
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
