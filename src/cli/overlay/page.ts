import { commandPage } from "../../command_line/mod.ts";
import { exitStatuses, HELP } from "../pages/pages.ts";

/** The page of `llmcmd overlay`. */
export const OVERLAY_PAGE = commandPage({
  name: "llmcmd overlay",
  usage: ["[list]", "diff NAME", "apply NAME", "discard NAME"],
  summary:
    "Look at the layers that 'llmcmd fsproxy --overlay' has kept, and apply or discard them. " +
    "Without an operand, list them.",
  operands: ["list", "diff", "apply", "discard"],
  options: [HELP],
  examples: [
    { about: "Look at what a program would have changed", line: "llmcmd overlay diff try" },
    { about: "Do it", line: "llmcmd overlay apply try" },
  ],
  sections: [
    {
      title: "Operands",
      terms: [
        ["list", "the layers, their changes, when and where they were begun, and the program"],
        ["diff", "print the changes from the files as they are now, as 'git diff' does"],
        [
          "apply",
          "put them into the files; what has changed there meanwhile is refused, named, and stays " +
          "in the layer",
        ],
        ["discard", "remove the layer"],
      ],
    },
    {
      title: "Environment",
      terms: [["XDG_STATE_HOME", "where layers are kept, in llmcmd/overlays/ (~/.local/state)"]],
    },
    exitStatuses([
      ["0", "done; also where there is nothing to do"],
      ["1", "changes were refused, and are still in the layer"],
      ["2", "wrong usage, no layer of that name, or its program still runs"],
      ["4", "the layer is damaged, or it or a file that it changes can't be read"],
    ]),
  ],
});
