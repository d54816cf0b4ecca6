import type { FetchApp } from "../http/mod.ts";
import { SHARED_FOLDER } from "../page/mod.ts";

/**
 * The gateway and another app, such as the chat, on one server: `/v1` is the gateway's API and
 * `/gateway` its page; everything else goes to the other app. The files that both pages share come
 * from the gateway, whose page needs no key.
 */
export function gatewayBeside(gateway: FetchApp, other: FetchApp): FetchApp {
  return {
    fetch(request) {
      const { pathname } = new URL(request.url);
      return isGatewayPath(pathname) ? gateway.fetch(request) : other.fetch(request);
    },
  };
}

function isGatewayPath(path: string): boolean {
  return path === "/gateway" ||
    ["/v1/", "/gateway/", SHARED_FOLDER].some((folder) => path.startsWith(folder));
}
