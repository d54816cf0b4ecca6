import { Stage } from "../../builtins/mod.ts";
import { type ByteSource, type Chunk, memorySource, Source } from "../../streams/mod.ts";
import { tempFolder } from "../../sys/mod.ts";
import type { OverlayCompare } from "../../vfs/mod.ts";

/** Compares texts with the builtin `diff`, and passes on its warnings. */
export function textDiff(warn: (message: string) => void): OverlayCompare {
  return ({ before, after, labels: [left, right], signal }) => {
    const args = ["-a", "-u", "--label", left, "--label", right, "--", "before", "after"];
    const stage = new Stage("diff", args, {
      stdin: memorySource(""),
      open: (path) => Promise.resolve(path === "before" ? before : after),
      temp: tempFolder,
      ...{ warn, signal },
    });
    return new Checked(stage, [before, after]);
  };
}

/** The output of a `diff`; reading it fails if the `diff` failed. */
class Checked extends Source {
  readonly #stage: Stage;
  readonly #inputs: readonly ByteSource[];

  constructor(stage: Stage, inputs: readonly ByteSource[]) {
    super();
    this.#stage = stage;
    this.#inputs = inputs;
  }

  protected override async pull(): Promise<Chunk | undefined> {
    const { value } = await this.#stage.next();
    if (value !== undefined) return value;
    if (this.#stage.status !== undefined && this.#stage.status > 1) throw new Error("diff failed");
    return undefined;
  }

  protected override async release(): Promise<void> {
    await this.#stage.return();
    for (const input of this.#inputs) await input.return();
  }
}
