import { messageOf } from "../../base/mod.ts";
import {
  addSecurityHeaders,
  BodyError,
  type BodyLimits,
  type FetchApp,
  readBody,
  Security,
  type SecurityOptions,
} from "../http/mod.ts";

/** Answers the requests of MCP clients that are allowed; `mcpHandler()` of `mcp/` makes one. */
export interface McpRequests {
  /** Answers a request; `body` is the parsed JSON of a POST. */
  fetch(request: Request, body?: unknown): Promise<Response>;
}

/** The options of {@linkcode mcpApp}. */
export interface McpAppOptions extends Pick<SecurityOptions, "hosts" | "howToAllow"> {
  /** Answers the allowed requests. */
  readonly handler: McpRequests;
  /** The key that every request must have, as `Authorization: Bearer`. */
  readonly token: string;
  /** Limits of a request's body. Default: 4 MiB and 30 s. */
  readonly limits?: BodyLimits | undefined;
}

/** Bodies that are usual for calls of tools. */
const LIMITS: BodyLimits = { bodyBytes: 4 * 1024 * 1024, bodyTime: 30_000 };

/**
 * Guards an MCP endpoint at `/mcp`: requests need a known `Host`, no foreign `Origin`, and the key,
 * from this machine too, as any page in a browser and any user can reach its ports. All other paths
 * are 404.
 */
export function mcpApp(options: McpAppOptions): FetchApp {
  const { handler, token, hosts, howToAllow, limits = LIMITS } = options;
  const security = new Security({ token, hosts, howToAllow });
  return {
    async fetch(request) {
      const response = await answer(request);
      addSecurityHeaders(response.headers);
      return response;
    },
  };

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const refusal = await security.refusal(request, url);
    if (refusal?.status === 401) {
      return failure(401, "The key is missing or wrong: send it as Authorization: Bearer KEY", {
        "www-authenticate": "Bearer",
      });
    }
    if (refusal !== undefined) return failure(refusal.status, refusal.message);
    if (url.pathname !== "/mcp") return failure(404, "There is nothing here: MCP is at /mcp");
    if (request.method !== "POST") return await handler.fetch(request);
    let text: string;
    try {
      text = await readBody(request, limits);
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      return failure(error.status, error.message, error.headers);
    }
    try {
      return await handler.fetch(request, JSON.parse(text));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return failure(400, `The body is not JSON: ${messageOf(error)}`, {}, -32700);
    }
  }
}

/** A refusal as a JSON-RPC error, which MCP clients show. */
function failure(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code = -32000,
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}
