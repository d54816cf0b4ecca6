import { chatApi } from "./chat.ts";
import { geminiApi } from "./gemini.ts";
import { messagesApi } from "./messages.ts";
import { responsesApi } from "./responses.ts";
import type { WireApi } from "./wire_api.ts";

/** The wire APIs that the mock speaks. */
export const wireApis: readonly WireApi[] = [chatApi, responsesApi, messagesApi, geminiApi];

/** The API whose requests are sent to a path, if there is one. */
export function wireApiAt(path: string): WireApi | undefined {
  return wireApis.find((api) => api.serves(path));
}
