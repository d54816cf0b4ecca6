import type { ChatEngineOptions } from "../../chat/mod.ts";
import type { SecurityOptions } from "../http/mod.ts";
import type { ChatLimits } from "./limits.ts";

/** Options of `chatApp()`. */
export interface ChatAppOptions extends SecurityOptions, ChatEngineOptions {
  /**
   * The path that it is mounted at, such as `/assistant`. Requests may come with the whole path, or
   * without this part of it, as Hono's `mount()` passes them on. Default: none.
   */
  readonly base?: string | undefined;
  /** Limits; the others have their defaults. */
  readonly limits?: Partial<ChatLimits> | undefined;
}
