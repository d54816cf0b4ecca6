// @ts-check
import { announce, byId } from "../../page/dom.js";
import { cancel, key, KeyError, models, runs } from "./api.js";
import { hideRun, shownRun, showRun, updateRun } from "./run_details.js";
import { showModels, showRuns } from "./tables.js";
import { messageOf } from "../../page/words.js";

/** @import { Run } from "./api.js" */

/** Milliseconds from one answer to the next question, and after one that failed. */
const INTERVAL = 1000;
const AFTER_FAILURE = 3000;

const login = byId("login", HTMLFormElement);
const input = byId("key", HTMLInputElement);
const refused = byId("refused", HTMLElement);
const tables = byId("tables", HTMLElement);
const live = byId("live", HTMLElement);
const forget = byId("forget", HTMLButtonElement);

/** @type {readonly Run[]} */
let known = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Counts the keys, so that an answer to an earlier key's question is dropped. */
let round = 0;

/** @param {string} text */
function say(text) {
  // A live region that is set again is read again.
  if (live.textContent !== text) live.textContent = text;
}

/** @param {string} why Empty where nothing went wrong. */
function askForKey(why) {
  round++;
  clearTimeout(timer);
  key.set("");
  hideRun();
  known = [];
  showModels([]);
  showRuns([], actions);
  tables.hidden = true;
  forget.hidden = true;
  login.hidden = false;
  refused.textContent = why;
  say("");
  input.focus();
}

const actions = {
  /** @param {string} id */
  show(id) {
    const run = known.find((it) => it.id === id);
    if (run !== undefined) void showRun(run);
  },
  /** @param {string} id */
  async cancel(id) {
    try {
      await cancel(id);
      announce("The run is cancelled");
    } catch (error) {
      if (error instanceof KeyError) return askForKey(error.message);
      // A run that was over before is no failure: the table shows what became of it.
      announce(messageOf(error));
    }
    start();
  },
};

/** Asks the gateway how things are, again and again, as long as the page can be seen. */
async function poll() {
  const mine = round;
  clearTimeout(timer);
  if (document.hidden) return;
  let pause = INTERVAL;
  try {
    const [allModels, allRuns] = await Promise.all([models(), runs()]);
    if (mine !== round) return;
    known = allRuns;
    login.hidden = true;
    tables.hidden = false;
    forget.hidden = false;
    showModels(allModels);
    showRuns(allRuns, actions);
    updateRun(allRuns.find(({ id }) => id === shownRun()));
    live.className = "good";
    say("live");
  } catch (error) {
    if (mine !== round) return;
    if (error instanceof KeyError) return askForKey(error.message);
    live.className = "bad";
    say(messageOf(error));
    pause = AFTER_FAILURE;
  }
  timer = setTimeout(poll, pause);
}

/** Begins to ask anew. */
function start() {
  round++;
  void poll();
}

login.addEventListener("submit", (event) => {
  event.preventDefault();
  refused.textContent = "";
  key.set(input.value.trim());
  input.value = "";
  start();
});
forget.addEventListener("click", () => askForKey(""));
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && key.value !== "") start();
});
/** Shows what the key opens, or asks for it. */
function begin() {
  key.load();
  if (key.value === "") askForKey("");
  else start();
}
// A link with a key that is opened in this tab changes the part behind # alone.
addEventListener("hashchange", begin);
begin();
