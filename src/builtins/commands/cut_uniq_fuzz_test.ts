import { agree, bytes, randomFrom } from "../_testing.ts";

function inputsFrom(random: () => number): Record<string, Uint8Array<ArrayBuffer>> {
  const pick = (text: string): string => text[Math.floor(random() * text.length)] ?? "";
  return Object.fromEntries(Array.from({ length: 6 }, (_, i) => {
    let text = "";
    const length = Math.floor(random() * 120);
    while (text.length < length) text += pick("ab: \n\n\tA\0");
    return [`random ${i}`, bytes(text)];
  }));
}

function listFrom(random: () => number): string {
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const low = 1 + Math.floor(random() * 6);
    const high = low + Math.floor(random() * 4);
    return [`${low}`, `${low}-`, `-${high}`, `${low}-${high}`][Math.floor(random() * 4)];
  }).join(",");
}

Deno.test("cut agrees with GNU on random command lines", async () => {
  const random = randomFrom(1);
  const lines = Array.from({ length: 40 }, () => {
    const args = random() < 0.3 ? ["-b", listFrom(random)] : ["-f", listFrom(random)];
    if (args[0] === "-f") {
      args.push("-d", [":", " ", "a", "\n", ""][Math.floor(random() * 5)] ?? "");
      if (random() < 0.3) args.push("-s");
    }
    if (random() < 0.3) args.push("--complement");
    if (random() < 0.3) args.push("-z");
    if (random() < 0.3) {
      args.push(`--output-delimiter=${["", "-", "<>"][Math.floor(random() * 3)]}`);
    }
    return args;
  });
  await agree("cut", lines, { inputs: inputsFrom(random) });
});

Deno.test("uniq agrees with GNU on random command lines", async () => {
  const random = randomFrom(2);
  const options = [
    ["-c"],
    ["-d"],
    ["-u"],
    ["-i"],
    ["-z"],
    ["-f1"],
    ["-f2"],
    ["-s1"],
    ["-w1"],
    ["-w2"],
    ["-D"],
    ["--all-repeated=separate"],
    ["--all-repeated=prepend"],
    ["--group"],
    ["--group=both"],
    ["--group=append"],
  ];
  const lines = Array.from(
    { length: 40 },
    () => options.filter(() => random() < 0.18).flat(),
  );
  await agree("uniq", lines, { inputs: inputsFrom(random) });
});
