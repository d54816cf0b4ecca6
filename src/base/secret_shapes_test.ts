import assert from "node:assert/strict";
import { holdsSecret, withoutSecrets } from "./mod.ts";

/** Assembled here so that no secret scanner reports these as real keys. */
const key = (prefix: string, length: number) => prefix + "a1B2".repeat(length / 4);

Deno.test("withoutSecrets hides what is secret wherever it stands, and nothing else", () => {
  const rows: [string, string][] = [
    [
      `Incorrect API key provided: ${key("sk-proj-", 24)}.`,
      "Incorrect API key provided: [secret].",
    ],
    ["git clone https://me:pw@host/x failed", "git clone https://[secret]@host/x failed"],
    [`a ${key("ghp_", 36)} and ${"AKIA" + "AB12".repeat(4)} `, "a [secret] and [secret] "],
    [
      `-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest`,
      "[secret]\nrest",
    ],
    ["-----BEGIN PRIVATE KEY-----\nMIIE", "[secret]"],
    ["post to https://hooks.slack.com/services/T0/B0/x now", "post to [secret] now"],
    [`${key("eyJ", 8)}.${key("eyJ", 12)}.${key("", 8)}`, "[secret]"],
  ];
  for (const [text, shown] of rows) {
    assert.equal(withoutSecrets(text), shown);
    assert.equal(holdsSecret(text), text !== shown);
  }
  for (
    const text of ["task-force-one-and-a-half", "https://host/a:b@c", "sk-short", "PRIVATE KEY"]
  ) {
    assert.equal(withoutSecrets(text), text);
    assert.equal(holdsSecret(text), false, text);
  }
});
