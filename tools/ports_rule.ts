/**
 * Lint rule `house/ports`: keeps `src/ports/` to types, so that importing it loads nothing.
 *
 * It reports an import of `ports/` that is not type-only, anywhere, and in a file of `ports/`
 * everything but type-only imports and exports, interfaces and type aliases.
 */

const PORTS_FILE = /(?:^|\/)src\/ports\/.*\.ts$/;
const PORTS_IMPORT = /^\..*\/ports\/[\w/]+\.ts$/;

const ENTER = "Import ports/ by `import type` (or `export type`): it holds types alone";
const HOLD = "A file of ports/ holds types alone: move this to the room that implements the port";

/** True if a top-level statement leaves nothing at run time. */
function isType(statement: Deno.lint.Program["body"][number]): boolean {
  switch (statement.type) {
    case "ImportDeclaration":
      return statement.importKind === "type";
    case "ExportAllDeclaration":
      return statement.exportKind === "type";
    case "ExportNamedDeclaration":
      return statement.exportKind === "type" ||
        statement.declaration?.type === "TSInterfaceDeclaration" ||
        statement.declaration?.type === "TSTypeAliasDeclaration";
    default:
      return statement.type === "TSInterfaceDeclaration" ||
        statement.type === "TSTypeAliasDeclaration";
  }
}

/** The rule `house/ports`. */
export const portsRule: Deno.lint.Rule = {
  create(context) {
    const entersPorts = (specifier: unknown) =>
      typeof specifier === "string" && PORTS_IMPORT.test(specifier);
    if (PORTS_FILE.test(context.filename.replaceAll("\\", "/"))) {
      return {
        Program: ({ body }) => {
          for (const node of body) if (!isType(node)) context.report({ node, message: HOLD });
        },
      };
    }
    return {
      Program: ({ body }) => {
        for (const node of body) {
          if (
            (node.type === "ImportDeclaration" || node.type === "ExportNamedDeclaration" ||
              node.type === "ExportAllDeclaration") &&
            entersPorts(node.source?.value) && !isType(node)
          ) context.report({ node, message: ENTER });
        }
      },
      ImportExpression: (node) => {
        if (node.source.type === "Literal" && entersPorts(node.source.value)) {
          context.report({ node, message: ENTER });
        }
      },
    };
  },
};
