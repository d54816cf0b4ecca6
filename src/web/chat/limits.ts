import { type ChatEngineLimits, defaultChatEngineLimits } from "../../chat/mod.ts";
import type { BodyLimits } from "../http/mod.ts";

/**
 * The limits of {@linkcode chatApp}. A request beyond one is refused: with 413 for a body that is too
 * large, 408 for one that is too slow, 503 for too many turns at once, and else 429.
 */
export interface ChatLimits extends ChatEngineLimits, BodyLimits {
  /** Bytes of a request's body. Default 1 MiB. */
  bodyBytes: number;
  /** Milliseconds in which a request's body must have arrived. Default 10,000. */
  bodyTime: number;
  /** Milliseconds of silence after which a comment is sent. Default 15,000. */
  keepAlive: number;
  /** Milliseconds after which a reader that reads nothing is dropped. Default 60,000. */
  stalled: number;
}

/** The default limits. */
export const defaultChatLimits: Readonly<ChatLimits> = {
  ...defaultChatEngineLimits,
  bodyBytes: 1024 * 1024,
  bodyTime: 10_000,
  keepAlive: 15_000,
  stalled: 60_000,
};
