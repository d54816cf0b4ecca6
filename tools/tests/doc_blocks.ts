/** Code blocks of the documentation as modules with one test each. */

/** A code block that runs as a test. */
export interface DocBlock {
  /** Line of the file where the code begins, from 1. */
  readonly line: number;
  readonly code: string;
}

/** Blocks in these languages run, unless `ignore` stands behind the language. */
const FENCE = /^```(?:ts|typescript|js|javascript)$/;

/** The code blocks of a page in Markdown, or of the doc comments of a file in TypeScript. */
export function docBlocks(path: string, text: string): DocBlock[] {
  const lines = text.split("\n");
  return blocksOf(path.endsWith(".md") ? lines : docComments(lines));
}

/** The text of doc comments. All other lines are empty, so that line numbers stay. */
function docComments(lines: readonly string[]): string[] {
  let inside = false;
  return lines.map((line) => {
    if (/^\s*\/\*\*/.test(line)) inside = true;
    if (!inside) return "";
    if (line.includes("*/")) inside = false;
    return line.replace(/^\s*(?:\/\*\*|\*\/|\*) ?/, "");
  });
}

function blocksOf(lines: readonly string[]): DocBlock[] {
  const blocks: DocBlock[] = [];
  let begin: number | undefined;
  let runs = false;
  for (const [index, line] of lines.entries()) {
    if (begin === undefined) {
      if (!line.startsWith("```")) continue;
      begin = index + 1;
      runs = FENCE.test(line.trimEnd());
    } else if (line.startsWith("```")) {
      if (runs) blocks.push({ line: begin + 1, code: lines.slice(begin, index).join("\n") });
      begin = undefined;
    }
  }
  return blocks;
}

/**
 * The text of a module that runs a block as a test: its imports first, the rest in the test.
 * Relative imports start at the file of the block, `path` below `root`.
 */
export function blockModule(root: URL, path: string, { line, code }: DocBlock): string {
  const imports: string[] = [];
  const rest: string[] = [];
  const absolute = (_: string, quote: string, relative: string) =>
    quote + new URL(relative, new URL(path, root)).href + quote;
  let inImport = false;
  for (const each of code.split("\n")) {
    inImport ||= /^import\b(?!\s*[(.])/.test(each);
    if (inImport) imports.push(each.replace(/(["'])(\.{1,2}\/[^"']+)\1/, absolute));
    else rest.push(each);
    if (/["'];?\s*$/.test(each)) inImport = false;
  }
  const name = JSON.stringify(`the code in ${path}, line ${line}`);
  return `${imports.join("\n")}\nDeno.test(${name}, async () => {\n${rest.join("\n")}\n});\n`;
}
