import assert from "node:assert/strict";
import { builtinNames, isBuiltinName } from "../../builtins/mod.ts";
import { noOperands } from "../_testing.ts";
import { parseCommand } from "../pipeline/parse_command.ts";
import { otherCommands, wayOf } from "./other_commands.ts";

Deno.test("wayOf tells how to do without a command, also by its other names", () => {
  const cases: [name: string, way: RegExp][] = [
    ["awk", /`cut -d , -f 2`.*`tr -s ' ' \| cut -d ' ' -f 2`/],
    ["gawk", /`cut -d , -f 2`/],
    ["jq", /write the result yourself; .*`grep -o /],
    ["bc", /work it out yourself/],
    ["python3.12", /no programs can be run/],
    ["perl", /no programs can be run/],
    ["xargs", /change every line with `sed/],
    ["ls", /there are no folders: .*in_fd/],
    ["gfind", /there are no folders/],
    ["rm", /no files are made, changed or removed/],
    ["curl", /there is no network/],
    ["zcat", /nothing here packs or unpacks/],
    ["less", /`cat`/],
    ["vi", /change text with `sed/],
    ["bash", /there is no shell/],
    ["split", /take parts of the input/],
    ["hexdump", /`od -A x -t x1z` or `xxd`/],
    ["sha1sum", /`md5sum` and `sha256sum`/],
    ["sudo", /leave it out/],
    ["rg", /`grep -E 'one\|two'`/],
    ["exit", /it is a tool/],
  ];
  for (const [name, way] of cases) assert.match(wayOf(name) ?? "", way, name);
  for (const name of ["", "g", "sortt", "constructor", "frobnicate"]) {
    assert.equal(wayOf(name), undefined, name);
  }
});

Deno.test("wayOf knows no command that is here", () => {
  const names = [...otherCommands().keys()];
  assert.deepEqual(names.filter(isBuiltinName), []);
  assert.deepEqual(names.filter((name) => !/^\S+$/.test(name)), []);
  assert.deepEqual(builtinNames.filter((name) => wayOf(name) !== undefined), []);
});

Deno.test("wayOf gives only commands that run", async () => {
  const context = { signal: new AbortController().signal, operands: noOperands };
  const given = new Set(
    [...otherCommands().values()].flatMap((way) =>
      [...way.matchAll(/`([^`]+)`/g)].map(([, cmd = ""]) => cmd)
    ),
  );
  assert.ok(given.size > 20);
  for (const cmd of given) await parseCommand(cmd, context);
});
