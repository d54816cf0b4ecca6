// @ts-check

// Elements of the page. Everything is text: nothing is ever parsed as HTML.

/**
 * The element with an id.
 *
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind Its class.
 * @returns {Kind}
 * @throws {TypeError} The page has no such element.
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`The page has no ${kind.name} with the id ${id}`);
}

/**
 * Makes an element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | (() => void)>} [attributes] Attributes; `text` is the element's
 *   text, and a function that is called `onclick` is called at a click.
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/**
 * The element that an event happened to.
 *
 * @param {Event} event
 * @returns {Element | null}
 */
export function targetOf({ target }) {
  return target instanceof Element ? target : null;
}

const status = byId("status", HTMLElement);

/**
 * Says something to who does not see the page.
 *
 * @param {string} text
 */
export function announce(text) {
  if (text === "") return;
  status.append(make("p", { text: text.slice(0, 1000) }));
  while (status.childElementCount > 20) status.firstElementChild?.remove();
}

/**
 * Puts a text on the clipboard.
 *
 * @param {string} text
 * @returns {Promise<boolean>} Whether the browser let it.
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page by plain http from another machine has no clipboard but this one.
    const box = make("textarea", { class: "sr", "aria-hidden": "true" });
    box.value = text;
    const focused = document.activeElement;
    document.body.append(box);
    box.select();
    const copied = document.execCommand("copy");
    box.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return copied;
  }
}
