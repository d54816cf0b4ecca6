import assert from "node:assert/strict";
import { agreeWith, bytes, words } from "./_testing.ts";

Deno.test("words splits at spaces and takes quotes away", () => {
  assert.deepEqual(words(`-k '2,3 x' "a b"c  \\  ''`), ["-k", "2,3 x", "a bc", " ", ""]);
});

const test = { name: "text", args: ["-r"], stdin: bytes("a\nb\n"), seekable: true };
const answer = {
  stdout: bytes("b\na\n"),
  stderr: bytes(""),
  status: 0,
  files: {},
  executable: [],
};

Deno.test("agreeWith finds what is not as in the answer", async () => {
  await agreeWith("sort", [test], [answer]);
  const others = [{ stdout: bytes("") }, { stderr: bytes("sort: x\n") }, { status: 1 }];
  for (const other of others) {
    await assert.rejects(
      agreeWith("sort", [test], [{ ...answer, ...other }]),
      /1 of 1 differ.*sort -r \(file: text\).*ours.*GNU/s,
    );
  }
});

Deno.test("agreeWith leaves a case out where it is told so", async () => {
  const wrong = { ...answer, status: 2 };
  await agreeWith("sort", [test], [wrong], { except: ({ status }) => status === 0 });
});
