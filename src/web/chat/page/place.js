// @ts-check

/** The address of the chat, with a slash at its end: this module is in its folder `chat/page/`. */
const home = new URL("../../", import.meta.url);

/**
 * The address of something that the chat serves.
 *
 * @param {string} path Begins with a slash.
 * @returns {URL}
 */
export function addressOf(path) {
  return new URL(`.${path}`, home);
}

/**
 * The name under which the browser keeps something of this chat, as all chats of one origin share its
 * storage.
 *
 * @param {string} name
 * @returns {string}
 */
export function ownName(name) {
  return home.pathname === "/" ? name : home.pathname + name;
}
