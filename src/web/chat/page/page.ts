/**
 * The chat's page, with its style sheets and modules.
 *
 * The modules are imported as text: they run in the browser only. `deno check` checks them as files
 * of their own, as each begins with `@ts-check`.
 */
import { htmlPage, StaticFiles } from "../../http/mod.ts";
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
import placeJs from "./place.js" with { type: "text" };
import queueJs from "./queue.js" with { type: "text" };
import removeChatJs from "./remove_chat.js" with { type: "text" };
import slashCommandsJs from "./slash_commands.js" with { type: "text" };
import sseParserJs from "./sse_parser.js" with { type: "text" };
import stateJs from "./state.js" with { type: "text" };
import statusJs from "./status.js" with { type: "text" };
import styleCss from "./style.css" with { type: "text" };
import toolCardsJs from "./tool_cards.js" with { type: "text" };

/** The path of the files, below the base of the app. */
export const PAGE_FOLDER = "/chat/page/";

/** The files by their names. */
export const pageFiles: StaticFiles = new StaticFiles(
  new Map([
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
    ["empty_chat.js", emptyChatJs],
    ["follow.js", followJs],
    ["highlighter.js", highlighterJs],
    ["live_list.js", liveListJs],
    ["main.js", mainJs],
    ["markdown.js", markdownJs],
    ["markdown_it.js", markdownItJs],
    ["message_box.js", messageBoxJs],
    ["message_tools.js", messageToolsJs],
    ["place.js", placeJs],
    ["queue.js", queueJs],
    ["remove_chat.js", removeChatJs],
    ["slash_commands.js", slashCommandsJs],
    ["sse_parser.js", sseParserJs],
    ["state.js", stateJs],
    ["status.js", statusJs],
    ["style.css", styleCss],
    ["tool_cards.js", toolCardsJs],
  ]),
);

/**
 * The page itself, without cookies.
 *
 * @param base The path that the app is mounted at.
 * @param key The bearer token of the page's requests, in letters and digits. Absent if the browser has
 * it already.
 */
export function chatPage(base: string, key?: string): Response {
  const meta = `<meta name="key" content="${key}">
    `;
  return htmlPage(key === undefined ? html : html.replace("<title>", `${meta}<title>`), base);
}
