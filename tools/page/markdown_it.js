/** The part of markdown-it that the page uses, bundled into `src/web/chat/page/markdown_it.js`. */
export { default as MarkdownIt } from "npm:markdown-it@15.0.3";
