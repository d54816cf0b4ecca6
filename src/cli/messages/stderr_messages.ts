import { columns, noColor, stderrSink, terminals } from "../../sys/mod.ts";
import { Messages } from "./messages.ts";

/** Messages on this process's standard error, under the command's name. */
export function stderrMessages(name: string): Messages {
  return new Messages({
    sink: stderrSink(),
    terminal: terminals().stderr,
    color: !noColor(),
    columns,
    name,
  });
}
