import type { AgentCommand, Driver, DriverRequest } from "./driver.ts";
import { LastBlock, noOutput } from "./normalise.ts";

/**
 * Any command that reads its prompt from standard input and prints its answer as the last block of
 * its output. It gets the entry's `args` unchanged; `model` is not passed on.
 */
export const generic: Driver = {
  name: "generic",
  program: undefined,
  npmPackage: undefined,
  sessions: "none",
  usageOfSession: false,
  mustAnswer: false,
  escape: undefined,
  command: ({ entry, cwd, prompt }: DriverRequest): AgentCommand => ({
    program: entry.command ?? "",
    args: entry.args,
    cwd,
    env: {},
    passEnv: entry.env,
    stdin: prompt,
  }),
  parser() {
    const last = new LastBlock();
    return {
      line(text) {
        last.line(text);
        return [];
      },
      end() {
        const answer = last.text() || noOutput;
        return {
          events: [{ type: "text", text: answer }],
          outcome: {
            answer,
            complete: true,
            plain: true,
            error: undefined,
            usage: undefined,
            session: undefined,
            noise: "",
          },
        };
      },
    };
  },
};
