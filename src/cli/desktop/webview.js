// @ts-check

// The program of a window with the system's webview, for `deno run`: it ends with status 0 when the
// window is closed. Arguments: the package webview-napi, the address, the title.
//
// It is imported as text and runs in a process of its own, so it is no part of this room, which does
// not speak to the host.
// deno-lint-ignore-file house/layers

const [name = "", url, title] = Deno.args;
const { Application } = await import(name);
const application = new Application({ exitOnLastWindowClosed: true });
const window = application.createBrowserWindow({ title, width: 900, height: 700 });
window.createWebview({ url, clipboard: true, incognito: true });
application.run();
Deno.exit(0);
