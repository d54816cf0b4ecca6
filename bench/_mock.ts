/** A mock endpoint for benchmarks, with one scenario a job, and a shell line that runs `llmcmd`. */
import { parseScenarios } from "../src/mock/mod.ts";
import { mockApp } from "../src/web/mod.ts";

const call = (name: string, args: unknown) => ({
  id: `call_${name}`,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});

/** A running endpoint: where it is, and how to stop it. */
export interface MockEndpoint extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly address: string;
}

/** Serves scenarios that pipe descriptor 3 through a command to descriptor 1, then exit. */
export function servePipes(jobs: Record<string, string | undefined>): MockEndpoint {
  const scenarios = Object.entries(jobs).map(([trigger, cmd]) => ({
    name: trigger,
    trigger,
    steps: [
      {
        response: {
          content: null,
          tool_calls: [
            call("pipe", { ...(cmd === undefined ? {} : { cmd }), in_fd: 3, out_fd: 1 }),
          ],
        },
      },
      { response: { content: null, tool_calls: [call("exit", {})] } },
    ],
  }));
  const app = mockApp({ scenarios: parseScenarios({ scenarios }, "bench"), strict: true });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => app.fetch(request),
  );
  return {
    address: `127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** The environment of an `llmcmd` that talks to the endpoint. */
export function environment(endpoint: MockEndpoint, home: string): Record<string, string> {
  return {
    HOME: home,
    // With another home, Deno would begin with an empty cache.
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
    XDG_CONFIG_HOME: home,
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `http://${endpoint.address}/v1`,
  };
}

/** Arguments of `deno` that run a program with the permissions a job needs. */
export function denoRun(endpoint: MockEndpoint, folder: string, program: string): string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    `--allow-read=${folder}`,
    `--allow-net=${endpoint.address}`,
    "--allow-env",
    program,
  ];
}
