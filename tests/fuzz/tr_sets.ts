import type { Random } from "../../src/regex/_testing.ts";

const CLASSES = "alnum alpha blank cntrl digit graph lower print punct space upper xdigit".split(
  " ",
);
const ONES = [
  "a",
  "b",
  "z",
  "A",
  "Z",
  "0",
  "9",
  " ",
  "\\n",
  "\\t",
  "\\\\",
  "\\101",
  "\\0",
  "\\377",
  "\\-",
  "-",
  "[",
  "]",
  "*",
  "=",
  ":",
  "\u00e9",
  "\\012",
  "\\]",
  "\\[",
  "x",
  "y",
  "\\8",
  "\\400",
  "\\v",
  ".",
];

/** A set of tr. */
export function trSet(random: Random, second: boolean): string {
  let out = "";
  for (let i = 1 + random.int(random.chance(70) ? 2 : 5); i > 0; i--) out += piece(random, second);
  if (random.chance(3)) {
    out += random.pick([
      "",
      "[:foo:]",
      "[:alpha",
      "[=ab=]",
      "[==]",
      "[a*",
      "z-a",
      "[a*x]",
      "[a*08]",
      "\\",
      "[::]",
      "a-",
      "-z",
      "[:alpha:]-z",
      "[a*99999999999999999999]",
      "[=a=]-z",
      "[*]",
      "[a*0]",
      "[a*-1]",
    ]);
  }
  return random.chance(2) ? "" : out;
}

function piece(random: Random, second: boolean): string {
  const roll = random.int(100);
  if (roll < 40) return random.pick(ONES);
  if (roll < 65) {
    const pair = random.pick([
      "az",
      "AZ",
      "09",
      "ac",
      "xz",
      "af",
      "AF",
      "aa",
      "!/",
      "\\1\\377",
      " ~",
      "bd",
    ]);
    if (pair.startsWith("\\")) return "\\1-\\377";
    const [from = "a", to = "z"] = pair;
    return `${from}-${to}`;
  }
  if (roll < 82) {
    return `[:${random.chance(50) ? random.pick(["lower", "upper"]) : random.pick(CLASSES)}:]`;
  }
  if (roll < 88) return `[=${random.pick(["a", "z", "\\n", "-", "=", "]"])}=]`;
  return second || random.chance(20)
    ? `[${random.pick(["a", "x", " ", "\\n", "-", "*", "]"])}*${
      random.pick(["", "3", "03", "010", "1", "0", "300"])
    }]`
    : random.pick(ONES);
}
