"use strict";

const STYLE = `
  body { margin: 0; min-height: 100vh; display: grid; place-items: center;
    background: #15171c; color: #e8eaed; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 40rem; padding: 2rem; }
  h1 { font-size: 1.2rem; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; color: #b9bec6; }
  a { color: #8ab4f8; }
`;

/**
 * The address of a page that tells something while there is no server.
 *
 * @param {string} title
 * @param {string} [text] What happened, shown as it is.
 * @param {string} [retry] Where "Try again" leads; without it there is no such link.
 * @returns {string}
 */
function noticePage(title, text = "", retry = undefined) {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>llmcmd</title>` +
    `<meta http-equiv="content-security-policy" ` +
    `content="default-src 'none'; style-src 'unsafe-inline'">` +
    `<style>${STYLE}</style><main><h1>${escape(title)}</h1>` +
    (text === "" ? "" : `<pre role="alert">${escape(text)}</pre>`) +
    (retry === undefined ? "" : `<p><a href="${escape(retry)}">Try again</a></p>`) +
    `</main></html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

function escape(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

module.exports = { noticePage };
