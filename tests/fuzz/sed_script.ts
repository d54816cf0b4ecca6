import type { Random } from "../../src/regex/_testing.ts";
import { anyOddPattern } from "./patterns.ts";

/** Options of a generated script. */
export interface ScriptOptions {
  readonly extended: boolean;
}

/**
 * A sed script of the whole language except for `e` and the flag `e`, as commands that can be
 * joined by line breaks. Files are named `f`, `g`, `out` and `out2`; loops end.
 */
export function sedCommands(random: Random, options: ScriptOptions): string[] {
  return new Scripts(random, options).commands(random.chance(60) ? 2 : 5, 2);
}

class Scripts {
  readonly #random: Random;
  readonly #extended: boolean;

  constructor(random: Random, { extended }: ScriptOptions) {
    this.#random = random;
    this.#extended = extended;
  }

  commands(max: number, depth: number): string[] {
    const out: string[] = [];
    for (let i = 1 + this.#random.int(max); i > 0; i--) out.push(this.#command(depth));
    return out;
  }

  #spaces(): string {
    return this.#random.chance(85) ? "" : this.#random.pick([" ", "  ", "\t"]);
  }

  #regex(): string {
    const random = this.#random;
    const source = random.chance(8) ? "" : anyOddPattern(random, this.#extended);
    const mark = random.chance(85) ? "/" : random.pick([",", "|", "#", "x", ";", ":"]);
    const quoted = random.chance(random.chance(2) ? 0 : 100)
      ? source.replaceAll("\n", "\\n").replace(
        /\\.|\/|[,|#x;:]/g,
        (each) => each === mark ? `\\${mark}` : each,
      )
      : source;
    const flags = random.chance(80) ? "" : random.pick(["I", "M", "IM", "I"]);
    return `${mark === "/" ? "" : "\\"}${mark}${quoted}${mark}${flags}`;
  }

  #number(): string {
    const random = this.#random;
    return String(random.chance(95) ? 1 + random.int(6) : random.pick([0, 10, 100, 999999]));
  }

  #address(): string {
    const random = this.#random;
    const roll = random.int(100);
    if (roll < 45) return "";
    const simple = (): string =>
      random.chance(50) ? this.#number() : random.chance(25) ? "$" : this.#regex();
    let text: string;
    if (roll < 72) text = simple();
    else if (roll < 78) text = `${random.int(5)}~${random.int(4)}`;
    else if (roll < 82) text = `0,${this.#regex()}`;
    else {
      const end = random.int(10);
      text = `${
        random.chance(85) ? simple() : `${random.int(4)}~${random.int(4)}`
      }${this.#spaces()},${this.#spaces()}${
        end < 6 ? simple() : end < 8 ? `+${random.int(4)}` : `~${random.int(5)}`
      }`;
    }
    return text + this.#spaces() + (random.chance(15) ? "!" + this.#spaces() : "");
  }

  #replacement(mark: string): string {
    const random = this.#random;
    let out = "";
    for (let i = random.int(5); i > 0; i--) {
      out += random.pick([
        "a",
        "x",
        "-",
        " ",
        "[&]",
        "&",
        "&&",
        "\\1",
        "\\2",
        "\\&",
        "\\n",
        "\\t",
        "\\\n",
        "\\U",
        "\\L",
        "\\u",
        "\\l",
        "\\E",
        "\\u&",
        "\\U&\\E",
        "\\L\\u&",
        "\\x41",
        "\\x26",
        "\\o101",
        "\\d065",
        "\\cA",
        "\\0",
        "\u00e9",
        "\\\\",
        "<>",
        "\\r",
        "\\f",
        "\\a",
        "\\q",
        "b",
      ]);
    }
    return out.replace(/\\[\s\S]|[\s\S]/g, (each) => each === mark ? `\\${mark}` : each);
  }

  #substitute(): string {
    const random = this.#random;
    const mark = random.chance(80) ? "/" : random.pick([",", "|", "#", "x", "@", ":", "1"]);
    const source = random.chance(6) ? "" : anyOddPattern(random, this.#extended);
    const quoted = source.replace(/\\[\s\S]|[\s\S]/g, (each) => each === mark ? `\\${mark}` : each);
    let flags = "";
    while (random.chance(40)) {
      flags += random.pick(["g", "g", "p", "I", "i", "M", "m", "2", "3", "1", "10"]);
    }
    if (random.chance(5)) flags += `w ${random.pick(["out", "/dev/stdout", "out2"])}`;
    return `s${mark}${quoted}${mark}${this.#replacement(mark)}${mark}${flags}`;
  }

  #text(): string {
    const random = this.#random;
    const line = (): string =>
      random.pick([
        "x",
        "hello",
        "",
        "  two words",
        "a\\tb",
        "\\  lead",
        "back\\\\slash",
        "end\\",
        "\u00e9",
        "a;b",
        "p}",
        "\\x41",
      ]);
    const kind = random.int(10);
    if (kind < 4) return `${this.#spaces()}${line().replace(/\\$/, "")}`;
    let out = `${this.#spaces()}\\\n${this.#spaces()}${line().replace(/\\$/, "")}`;
    while (random.chance(25)) out += `\\\n${line().replace(/\\$/, "")}`;
    return kind < 9 ? out : `\\${line()}`;
  }

  #list(): string {
    const random = this.#random;
    const letters = ["a", "b", "c", "x", "\\n", "\\\\", "\\/", "\u00e9", " ", "A", "\\t"];
    let from = "";
    let to = "";
    for (let i = 1 + random.int(4); i > 0; i--) {
      from += random.pick(letters);
      to += random.pick(letters);
    }
    return `y/${from}/${to}${random.chance(4) ? "z" : ""}/`;
  }

  #command(depth: number): string {
    const random = this.#random;
    const address = this.#address();
    const roll = random.int(100);
    const file = (): string => random.pick(["out", "out", "out2", "/dev/stdout", "/dev/stderr"]);
    if (roll < 34) return address + this.#substitute();
    if (roll < 58) {
      return address +
        random.pick(
          ["p", "d", "D", "P", "n", "N", "h", "H", "g", "G", "x", "=", "F", "z", "$!N", "N"]
            .filter((each) => address === "" || !each.startsWith("$")),
        ) + this.#spaces();
    }
    if (roll < 66) return address + random.pick(["a", "i", "c"]) + this.#text();
    if (roll < 69) return address + this.#list();
    if (roll < 72) return `${address}l${random.pick(["", "", " 5", "1", " 0", "20"])}`;
    if (roll < 76) {
      const single = address.includes(",") && random.chance(90) ? "" : address;
      return `${single}${random.pick(["q", "Q"])}${random.pick(["", "", "5", " 3"])}`;
    }
    if (roll < 79) return `${address}r ${random.pick(["g", "f", "missing", "/dev/stdin"])}`;
    if (roll < 81) return `${address}R ${random.pick(["g", "f", "missing", "/dev/stdin"])}`;
    if (roll < 84) return `${address}${random.pick(["w", "w", "W"])} ${file()}`;
    if (roll < 90 && depth > 0) {
      const inner = this.commands(2, depth - 1);
      const closed = random.chance(70) ? "\n}" : random.pick([";}", " ;  }"]);
      return `${address}{${this.#spaces()}${inner.join("\n")}${
        /^[^\n]*[aicrRwW:] |\\/.test(inner.at(-1) ?? "") ? "\n}" : closed
      }`;
    }
    if (roll < 95) return this.#jump(address, depth);
    if (roll < 97) return random.pick(["#n", "# comment", "#", `${address}# x`, "v", "v 4.2", ""]);
    return random.pick([
      `${address}}`,
      `${address}{`,
      `${address}k`,
      `${address}b nowhere`,
      "s/a/b",
      "y/a/",
      `${address}pp`,
      `${address}p p`,
      ":",
      `${address}:a`,
      "a",
      "3,",
      "s/a/b/gg",
      "s/a/b/0",
      "/a",
      "r",
      "w",
      "1!!p",
      "s/\\(a/b/",
      "s/a/\\1/",
      "p;;p",
      ";p",
      "}",
      "u",
      "0p",
      "0,5p",
      "1,2q",
      "1,3=",
      "+1p",
      "~2p",
      ",p",
    ]);
  }

  #jump(address: string, depth: number): string {
    const random = this.#random;
    const name = random.pick(["a", "b", "loop", "x y", "\u00e9"]);
    switch (random.int(5)) {
      case 0:
        return `:${name}\n${this.#command(depth - 1)}\n$!{\nN\nb ${name}\n}`;
      case 1:
        return `:${name}\n${this.#substitute()}\n$!N\n${random.chance(50) ? "t" : "T"} ${
          random.pick(["", "end"])
        }\n:end`;
      case 2:
        return `${address}${random.pick(["b", "t", "T"])}${random.pick(["", " "])}`;
      case 3:
        return `${address}b end\n${this.#command(depth - 1)}\n: end`;
      default:
        return `${address}${random.pick(["t", "T"])} end${name[0] ?? ""}\n${
          this.#command(depth - 1)
        }\n:end${name[0] ?? ""}`;
    }
  }
}
