import assert from "node:assert/strict";
import { MemorySink, memorySource } from "../streams/mod.ts";
import { agree, runOurs } from "./_testing.ts";
import { Stage } from "./stage.ts";

Deno.test("tee agrees with GNU", async () => {
  await agree("tee", [
    "",
    "o",
    "o p",
    "-a o",
    "-a g o",
    "g",
    "-i o",
    "-p o",
    "-ip o",
    "-",
    "o - p",
    "--append g",
    "--ignore-interrupts o",
    "--output-error o",
    "--output-error=warn o",
    "--output-error=warn-nopipe o",
    "--output-error=exit o",
    "--output-error=exit-nopipe o",
    "--output-error=exit-n o",
    "--output-error=x o",
    "--output-error=w o",
    "--output-error= o",
    "-x o",
    "--nosuch",
    "--app --ign g",
    "-- o",
    "-ap g",
    "o o2 p",
    "p -a o",
    "-i -a -p o p",
  ], { compare: ["o", "p", "g", "-"] });
});

Deno.test("tee says so where files cannot be created", async () => {
  const warnings: string[] = [];
  const io = {
    stdin: memorySource("a\n"),
    signal: new AbortController().signal,
    warn: (message: string) => void warnings.push(message),
  };
  const stage = new Stage("tee", ["x"], io);
  const out = new MemorySink();
  for await (const chunk of stage) await out.write(chunk);
  assert.equal(out.text(), "a\n");
  assert.deepEqual(warnings, ["tee: x: Files cannot be created here"]);
  assert.equal(stage.status, 1);
});

Deno.test("tee --help names its options", async () => {
  const { stdout, status } = await runOurs("tee", { args: ["--help"] });
  assert.match(new TextDecoder().decode(stdout), /--output-error\[=MODE\]/);
  assert.equal(status, 0);
});
