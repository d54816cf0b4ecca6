import { quotedWord } from "../../base/mod.ts";
import type { CommandOption, CommandPage, SubcommandPage } from "../page.ts";
import { spellings } from "../spelling.ts";

/** Makes the completion script for zsh: a file `_llmcmd` on the `fpath`. */
export function zshScript(page: CommandPage, subcommands: readonly SubcommandPage[]): string {
  const name = page.name;
  return `#compdef ${name}
# zsh completion for ${name}: ${name} --completions zsh > a folder of $fpath/_${name}
_${name}() {
  case $words[2] in
${
    subcommands.map(({ word, page }) =>
      `    ${word})
      shift words
      (( CURRENT-- ))
      ${call(page, [])}
      ;;
`
    ).join("")
  }    *)
      ${call(page, subcommands)}
      ;;
  esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function call(page: CommandPage, subcommands: readonly SubcommandPage[]): string {
  const first = subcommands.length === 0
    ? []
    : [`'1:operand or subcommand:(${subcommands.map(({ word }) => word).join(" ")})'`];
  const rest = page.operands === "file"
    ? ["'*:file:_files'"]
    : typeof page.operands !== "object"
    ? []
    : [`'1:operand:(${page.operands.join(" ")})'`, "'*: : '"];
  return ["_arguments -s -S", ...page.options.flatMap(specs), ...first, ...rest]
    .join(" \\\n        ");
}

/**
 * One line for each spelling: `'(-o --output)'-o+'[help]:FILE:_files'`. The list in parentheses is
 * no longer offered once this option is given; an option that may be repeated begins with `*`
 * instead.
 */
function specs(option: CommandOption): string[] {
  const all = spellings(option);
  const { argument = "none" } = option;
  const before = quotedWord(option.repeats === true ? "*" : `(${all.join(" ")})`);
  const help = quotedWord(`[${(option.help ?? "").replace(/[[\]:\\]/g, "\\$&")}]${action(option)}`);
  return all.map((text) => {
    const long = text.startsWith("--");
    const signs = { none: "", required: long ? "=" : "+", optional: long ? "=-" : "-" };
    const sign = signs[argument];
    return `${before}${text}${sign}${help}`;
  });
}

function action({ argument, argumentName = "ARG", complete }: CommandOption): string {
  if (argument === undefined || argument === "none") return "";
  const what = complete === "file"
    ? "_files"
    : complete === undefined
    ? " "
    : `(${complete.join(" ")})`;
  return `${argument === "optional" ? "::" : ":"}${argumentName}:${what}`;
}
