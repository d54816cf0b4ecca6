import type { IBuffer, IBufferCell, Terminal } from "@xterm/headless";

/** Text that draws the contents of a terminal on another one, whatever that showed before. */
export function paint(terminal: Terminal): string {
  const { normal, active } = terminal.buffer;
  const alternate = active.type === "alternate";
  // Ends an incomplete sequence; resets colours, characters and modes; leaves the alternate screen.
  const begin = "\x18\x1b\\\x1b[0m\x1b(B\x0f\x1b[r\x1b[?6l\x1b[4l\x1b[?7h\x1b[?1049l";
  const screens = alternate
    ? `${screenOf(terminal, normal)}${cursorOf(terminal, normal)}\x1b[?1049h`
    : "";
  return begin + screens + screenOf(terminal, active) + modesOf(terminal) +
    cursorOf(terminal, active);
}

function screenOf(terminal: Terminal, buffer: IBuffer): string {
  let text = "\x1b[H\x1b[2J";
  for (let row = 0; row < terminal.rows; row++) {
    const line = rowOf(buffer, buffer.baseY + row, terminal.cols);
    if (line !== "") text += `\x1b[${row + 1};1H${line}\x1b[0m`;
  }
  return text;
}

function rowOf(buffer: IBuffer, at: number, columns: number): string {
  const line = buffer.getLine(at);
  let text = "";
  let blanks = "";
  let style = "0";
  for (let column = 0; column < columns; column++) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const own = styleOf(cell);
    const characters = cell.getChars();
    if (own === "0" && (characters === "" || characters === " ")) {
      // Blanks at the end of a line are already there.
      blanks += " ";
      continue;
    }
    if (blanks !== "" && style !== "0") text += "\x1b[0m";
    if (blanks !== "") style = "0";
    text += blanks;
    blanks = "";
    if (own !== style) text += `\x1b[${own === "0" ? "0" : `0;${own}`}m`;
    style = own;
    text += characters === "" ? " " : characters;
  }
  return text;
}

/** The parameters of SGR for a cell; `0` for the default look. */
function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return "0";
  const flags: [number, string][] = [
    [cell.isBold(), "1"],
    [cell.isDim(), "2"],
    [cell.isItalic(), "3"],
    [cell.isUnderline(), "4"],
    [cell.isBlink(), "5"],
    [cell.isInverse(), "7"],
    [cell.isInvisible(), "8"],
    [cell.isStrikethrough(), "9"],
    [cell.isOverline(), "53"],
  ];
  const parts = flags.flatMap(([on, code]) => on === 0 ? [] : [code]);
  if (!cell.isFgDefault()) parts.push(`38;${colour(cell.isFgRGB(), cell.getFgColor())}`);
  if (!cell.isBgDefault()) parts.push(`48;${colour(cell.isBgRGB(), cell.getBgColor())}`);
  return parts.length === 0 ? "0" : parts.join(";");
}

function colour(rgb: boolean, value: number): string {
  return rgb ? `2;${value >> 16 & 255};${value >> 8 & 255};${value & 255}` : `5;${value}`;
}

const MOUSE = { none: "", x10: "9", vt200: "1000", drag: "1002", any: "1003" } as const;

function modesOf({ modes }: Terminal): string {
  const mouse = MOUSE[modes.mouseTrackingMode];
  const set = (number: string | number, on: boolean) => `\x1b[?${number}${on ? "h" : "l"}`;
  return set(1, modes.applicationCursorKeysMode) + set(2004, modes.bracketedPasteMode) +
    set(1004, modes.sendFocusMode) + (modes.applicationKeypadMode ? "\x1b=" : "\x1b>") +
    // xterm does not reveal how mouse events are encoded; current programs ask for this encoding.
    (mouse === "" ? "" : set(mouse, true) + set(1006, true)) +
    (modes.insertMode ? "\x1b[4h" : "") + (modes.wraparoundMode ? "" : set(7, false));
}

function cursorOf(terminal: Terminal, { cursorX, cursorY }: IBuffer): string {
  return `\x1b[${cursorY + 1};${Math.min(cursorX, terminal.cols - 1) + 1}H`;
}
