// @ts-check

// The program of a window with the system's webview, imported as text: it runs in a process of its
// own, behind an import of the package that opens it.

/**
 * What is used of the class `Application` of the package webview-napi.
 *
 * @typedef {object} WebviewApplication
 * @property {(options: { title: string, width: number, height: number }) => WebviewWindow} createBrowserWindow
 * @property {() => void} run Returns when the last window is closed.
 */
/**
 * @typedef {object} WebviewWindow
 * @property {(options: { url: string, clipboard: boolean, incognito: boolean }) => void} createWebview
 */

/**
 * Shows a page in a window, until the window is closed.
 *
 * @param {new (options: { exitOnLastWindowClosed: boolean }) => WebviewApplication} Application
 * @param {string} url
 * @param {string} title
 */
export function showPage(Application, url, title) {
  const application = new Application({ exitOnLastWindowClosed: true });
  const window = application.createBrowserWindow({ title, width: 900, height: 700 });
  window.createWebview({ url, clipboard: true, incognito: true });
  application.run();
}
