// @ts-check
import { request } from "./connection.js";
import { byId, make } from "../../page/dom.js";
import { endOf, visible } from "../../page/words.js";

/** @import { ChatAbout } from "../../../chat/mod.ts" */

const about = byId("about", HTMLElement);

/** Shows the model, the folder and what confines commands. */
export async function showAbout() {
  /** @type {ChatAbout} */
  let told;
  try {
    told = await (await request("GET", "/about")).json();
  } catch {
    return; // It is asked again when the server is there.
  }
  const { model, root, sandbox } = told;
  const parts = [
    make("span", { text: visible(model), title: `Model: ${model}` }),
    make("span", { class: "folder", text: visible(endOf(root, 40)), title: `Folder: ${root}` }),
  ];
  if (sandbox?.kind === "none") {
    const title = `Commands run with your rights: ${sandbox.reason}`;
    parts.push(make("span", { class: "open", text: "no sandbox", title }));
  } else if (sandbox !== undefined) {
    const network = sandbox.network ? "" : ", no network";
    const title = `Commands run in ${sandbox.kind}, ${
      sandbox.network ? "with" : "without"
    } the network; they can write to ${sandbox.writable.join(", ")}`;
    parts.push(make("span", { text: `sandbox${network}`, title }));
  }
  about.replaceChildren(...parts);
}
