import type { CommandOption, CommandPage, SubcommandPage } from "../page.ts";
import { spellings } from "../spelling.ts";

/** Makes the completion script for bash 4 or later; it needs no other package. */
export function bashScript(page: CommandPage, subcommands: readonly SubcommandPage[]): string {
  const name = page.name;
  const words = subcommands.map(({ word }) => word).join(" ");
  return `# bash completion for ${name}: source <(${name} --completions bash)
_${name}_files() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$1"))
}

_${name}_words() {
  COMPREPLY=($(compgen -W "$1" -- "$2"))
}

_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  # bash makes three words of --option=value.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $prev == "=" && COMP_CWORD -gt 1 ]]; then
    prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  case \${COMP_WORDS[1]} in
${subcommands.map(({ word, page }) => caseOf(name, word, page, "")).join("")}${
    caseOf(name, "*", page, words)
  }  esac
}

complete -F _${name} ${name}
`;
}

function caseOf(name: string, word: string, page: CommandPage, subcommands: string): string {
  const taking = page.options.filter(({ argument }) => argument === "required");
  const spelt = page.options.flatMap(spellings).join(" ");
  return `    ${word})
      case $prev in
${
    taking.map((option) => `        ${spellings(option).join("|")}) ${reply(name, option)};;\n`)
      .join("")
  }\
      esac
      if [[ $cur == -* ]]; then
        _${name}_words "${spelt}" "$cur"
      else
        ${operands(name, page)}
${
    subcommands === ""
      ? ""
      : `        [[ COMP_CWORD -eq 1 ]] && COMPREPLY+=($(compgen -W "${subcommands}" -- "$cur"))\n`
  }      fi
      ;;
`;
}

function operands(name: string, page: CommandPage): string {
  if (page.operands === "file") return `_${name}_files "$cur"`;
  if (typeof page.operands !== "object") return "COMPREPLY=()";
  const words = `_${name}_words "${page.operands.join(" ")}" "$cur"`;
  return `COMPREPLY=()\n        [[ COMP_CWORD -eq 2 ]] && ${words}`;
}

function reply(name: string, { complete }: CommandOption): string {
  if (complete === "file") return `_${name}_files "$cur"; return `;
  if (complete === undefined) return "COMPREPLY=(); return ";
  return `_${name}_words "${complete.join(" ")}" "$cur"; return `;
}
