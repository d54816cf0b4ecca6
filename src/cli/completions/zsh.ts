import {
  type CommandOption,
  type CommandPage,
  longSpellings,
  type Subcommand,
} from "../pages/mod.ts";

/** The completion script for zsh: a file `_llmcmd` on the `fpath`. */
export function zshScript(page: CommandPage, subcommands: readonly Subcommand[]): string {
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

function call(page: CommandPage, subcommands: readonly Subcommand[]): string {
  const first = subcommands.length === 0
    ? []
    : [`'1:instructions or subcommand:(${subcommands.map(({ word }) => word).join(" ")})'`];
  const rest = page.operands === "file" ? ["'*:file:_files'"] : [];
  return ["_arguments -s -S", ...page.options.flatMap(specs), ...first, ...rest]
    .join(" \\\n        ");
}

/** One line a spelling: `'(-o --output)'{-o+,--output=}'[help]:FILE:_files'`. */
function specs(option: CommandOption): string[] {
  const short = option.short === undefined ? [] : [`-${option.short}`];
  const longs = longSpellings(option).map((long) => `--${long}`);
  const takes = option.argument === "required";
  const repeated = option.name === "input" || option.name === "scenarios";
  const exclude = repeated ? "*" : `(${[...short, ...longs].join(" ")})`;
  const help = quote(`[${(option.help ?? "").replace(/[[\]:\\]/g, "\\$&")}]${action(option)}`);
  const spelt = [
    ...short.map((text) => takes ? `${text}+` : text),
    ...longs.map((text) => takes ? `${text}=` : text),
  ];
  return spelt.map((text) => `${quote(exclude)}${text}${help}`);
}

function action({ argument, argumentName = "ARG", complete }: CommandOption): string {
  if (argument !== "required") return "";
  const what = complete === "file"
    ? "_files"
    : complete === undefined
    ? " "
    : `(${complete.join(" ")})`;
  return `:${argumentName}:${what}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
