import type { FetchApp } from "../fetch_app.ts";
import { GATEWAY_PAGE_FOLDER, isSharedPageFile } from "../gateway_page/gateway_page.ts";

/**
 * The gateway and another app, such as the chat, on one server: `/v1` is the gateway's API and
 * `/gateway` its page; everything else is the other app's. What the two pages share of files
 * comes from the gateway, whose page is loaded without a key.
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
  return path === "/gateway" || path.startsWith("/v1/") || path.startsWith(GATEWAY_PAGE_FOLDER) ||
    isSharedPageFile(path);
}
