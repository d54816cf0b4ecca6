/**
 * Assembles `src/simd/kernel.wat` into `src/simd/_kernel_wasm.ts`: `deno task simd`.
 *
 * With `--check` only compares the two.
 */
import wabt from "wabt";

const SOURCE = new URL("../src/simd/kernel.wat", import.meta.url);
const TARGET = new URL("../src/simd/_kernel_wasm.ts", import.meta.url);

/** The content of `src/simd/_kernel_wasm.ts` for a module in WebAssembly text format. */
export async function assemble(text: string): Promise<string> {
  const tools = await wabt();
  const module = tools.parseWat("kernel.wat", text, { simd: true, mutable_globals: true });
  try {
    module.validate();
    const { buffer } = module.toBinary({});
    const lines = buffer.toBase64().match(/.{1,90}/g) ?? [];
    return `/** \`kernel.wat\`, assembled by \`deno task simd\`: WebAssembly as base64. */
export const KERNEL = \`
${lines.join("\n")}
\`;
`;
  } finally {
    module.destroy();
  }
}

if (import.meta.main) {
  await Deno.writeTextFile(TARGET, await assemble(await Deno.readTextFile(SOURCE)));
}
