/** Anything that answers HTTP requests: what `Deno.serve`, `deno serve` and Hono's servers take. */
export interface FetchApp {
  /** Answers one request. */
  fetch(request: Request): Response | Promise<Response>;
}
