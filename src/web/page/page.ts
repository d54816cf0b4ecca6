/**
 * The chat's page, and the style sheets and modules that it is made of, as the server gives them.
 *
 * The modules are imported as text: this program serves them and never runs them. `deno check`
 * checks them as files of their own (each begins with `@ts-check`), with the types of the browser.
 */
import { htmlPage, StaticFiles } from "../static_files.ts";
import aboutJs from "./about.js" with { type: "text" };
import agentMessageJs from "./agent_message.js" with { type: "text" };
import asksJs from "./asks.js" with { type: "text" };
import attachedTextJs from "./attached_text.js" with { type: "text" };
import attachmentsJs from "./attachments.js" with { type: "text" };
import blocksJs from "./blocks.js" with { type: "text" };
import chatJs from "./chat.js" with { type: "text" };
import chatEventsJs from "./chat_events.js" with { type: "text" };
import chatListCss from "./chat_list.css" with { type: "text" };
import chatListJs from "./chat_list.js" with { type: "text" };
import chatMenuJs from "./chat_menu.js" with { type: "text" };
import chatSearchJs from "./chat_search.js" with { type: "text" };
import coloursJs from "./colours.js" with { type: "text" };
import confirmedJs from "./confirmed.js" with { type: "text" };
import connectionJs from "./connection.js" with { type: "text" };
import conversationCss from "./conversation.css" with { type: "text" };
import conversationJs from "./conversation.js" with { type: "text" };
import domJs from "./dom.js" with { type: "text" };
import emptyChatJs from "./empty_chat.js" with { type: "text" };
import followJs from "./follow.js" with { type: "text" };
import highlighterJs from "./highlighter.js" with { type: "text" };
import html from "./index.html" with { type: "text" };
import liveListJs from "./live_list.js" with { type: "text" };
import mainJs from "./main.js" with { type: "text" };
import markdownJs from "./markdown.js" with { type: "text" };
import markdownItJs from "./markdown_it.js" with { type: "text" };
import messageBoxJs from "./message_box.js" with { type: "text" };
import messageToolsJs from "./message_tools.js" with { type: "text" };
import queueJs from "./queue.js" with { type: "text" };
import removeChatJs from "./remove_chat.js" with { type: "text" };
import slashCommandsJs from "./slash_commands.js" with { type: "text" };
import sseParserJs from "./sse_parser.js" with { type: "text" };
import stateJs from "./state.js" with { type: "text" };
import statusJs from "./status.js" with { type: "text" };
import styleCss from "./style.css" with { type: "text" };
import toolCardsJs from "./tool_cards.js" with { type: "text" };
import wordsJs from "./words.js" with { type: "text" };

/** Under which path the files are that the page names. */
export const PAGE_FOLDER = "/page/";

/** The files by their names. */
const FILES: ReadonlyMap<string, string> = new Map([
  ["about.js", aboutJs],
  ["agent_message.js", agentMessageJs],
  ["asks.js", asksJs],
  ["attached_text.js", attachedTextJs],
  ["attachments.js", attachmentsJs],
  ["blocks.js", blocksJs],
  ["chat.js", chatJs],
  ["chat_events.js", chatEventsJs],
  ["chat_list.css", chatListCss],
  ["chat_list.js", chatListJs],
  ["chat_menu.js", chatMenuJs],
  ["chat_search.js", chatSearchJs],
  ["colours.js", coloursJs],
  ["confirmed.js", confirmedJs],
  ["connection.js", connectionJs],
  ["conversation.css", conversationCss],
  ["conversation.js", conversationJs],
  ["dom.js", domJs],
  ["empty_chat.js", emptyChatJs],
  ["follow.js", followJs],
  ["highlighter.js", highlighterJs],
  ["live_list.js", liveListJs],
  ["main.js", mainJs],
  ["markdown.js", markdownJs],
  ["markdown_it.js", markdownItJs],
  ["message_box.js", messageBoxJs],
  ["message_tools.js", messageToolsJs],
  ["queue.js", queueJs],
  ["remove_chat.js", removeChatJs],
  ["slash_commands.js", slashCommandsJs],
  ["sse_parser.js", sseParserJs],
  ["state.js", stateJs],
  ["status.js", statusJs],
  ["style.css", styleCss],
  ["tool_cards.js", toolCardsJs],
  ["words.js", wordsJs],
]);

/** The names of the files in {@linkcode PAGE_FOLDER}. */
export const pageFiles: readonly string[] = [...FILES.keys()];

const files = new StaticFiles(FILES);

/**
 * The page itself. It sets no cookie yet.
 *
 * @param key What it is to show with all that it asks, in letters and digits. Browsers keep it; it is
 * absent when they have it.
 */
export function chatPage(key?: string): Response {
  const meta = `<meta name="key" content="${key}">
    `;
  return htmlPage(key === undefined ? html : html.replace("<title>", `${meta}<title>`));
}

/**
 * A file of the page by its name; `undefined` if there is none.
 *
 * @param ifNoneMatch The header `If-None-Match` of the request.
 */
export async function pageFile(
  name: string,
  ifNoneMatch: string | undefined,
): Promise<Response | undefined> {
  return await files.get(name, ifNoneMatch);
}
