/**
 * A mock endpoint for benchmarks, with one scenario for each job, and a shell line that runs
 * `llmcmd`.
 */
import { parseScenarios } from "../src/mock/mod.ts";
import { mockApp } from "../src/web/mock/mod.ts";

const call = (name: string, args: unknown) => ({
  id: `call_${name}`,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});

/** A running endpoint. Disposing it stops it. */
export interface MockEndpoint extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly address: string;
}

/** The model's actions in a job: pipes through a command to descriptor 1, then exits. */
export interface PipeJob {
  /** The command; a copy if absent. */
  readonly cmd?: string | undefined;
  /** The descriptor that it reads. Default: 3, the first input file. */
  readonly from?: number;
  /** The number of pipes, each in its own message. Default: 1. */
  readonly times?: number;
}

/** Serves a scenario for each job; its key is the beginning of the instructions. */
export function servePipes(jobs: Record<string, PipeJob>): MockEndpoint {
  const scenarios = Object.entries(jobs).map(([trigger, { cmd, from = 3, times = 1 }]) => {
    const pipe = call("pipe", { ...(cmd === undefined ? {} : { cmd }), in_fd: from, out_fd: 1 });
    return {
      name: trigger,
      trigger,
      steps: [...Array.from({ length: times }, () => pipe), call("exit", {})]
        .map((made) => ({ response: { content: null, tool_calls: [made] } })),
    };
  });
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

/** The environment of an `llmcmd` that uses the endpoint. */
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

/** Arguments of `deno` that run a program with the permissions of a job, and `more` of them. */
export function denoRun(
  endpoint: MockEndpoint,
  folder: string,
  program: string,
  ...more: string[]
): string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    `--allow-read=${folder}`,
    `--allow-net=${endpoint.address}`,
    "--allow-env",
    ...more,
    program,
  ];
}
