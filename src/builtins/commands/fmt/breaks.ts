/** Most words and bytes of a paragraph that are formatted at once, as in GNU fmt. */
const MAX_WORDS = 1000;
const MAX_BYTES = 5000;

// The cost of a line, as in GNU fmt. Costs are squares, so that one bad line costs more than two
// mediocre ones.
const LINE = 70 ** 2;
const WIDOW = 200 ** 2;
const ORPHAN = 150 ** 2;
const SENTENCE_BONUS = 50 ** 2;
const NO_BREAK = 600 ** 2;
const PAREN_BONUS = 40 ** 2;
const PUNCT_BONUS = 40 ** 2;
const LINE_CREDIT = 3 ** 2;
/**
 * Factors for the square of the columns by which a line misses the goal, or the length of the next
 * line.
 */
const SHORT_COST = 10 ** 2;
const RAGGED_COST = SHORT_COST / 2;

function isPunct(byte: number): boolean {
  return (byte >= 33 && byte <= 47) || (byte >= 58 && byte <= 64) ||
    (byte >= 91 && byte <= 96) || (byte >= 123 && byte <= 126);
}

/** Returns a table by byte: 1 for each of the characters. */
function markOf(characters: string): Uint8Array {
  const marks = new Uint8Array(256);
  for (const character of characters) marks[character.charCodeAt(0)] = 1;
  return marks;
}

// NUL is in every set, because strchr() in C finds it at the end of a string.
const OPEN = markOf("(['`\"\0");
const CLOSE = markOf(")]'\"\0");
const PERIOD = markOf(".?!\0");

/** The words of a paragraph, and the breaks between its lines. */
export class FmtWords {
  /** The text of the words, one after another. */
  readonly text: Uint8Array = new Uint8Array(MAX_BYTES);
  readonly start = new Int32Array(MAX_WORDS + 1);
  readonly size = new Int32Array(MAX_WORDS + 1);
  /** Columns between a word and the next one. */
  readonly space = new Int32Array(MAX_WORDS + 1);
  readonly paren = new Uint8Array(MAX_WORDS + 1);
  readonly period = new Uint8Array(MAX_WORDS + 1);
  readonly punct = new Uint8Array(MAX_WORDS + 1);
  /** 1 if a word ends a sentence. */
  readonly final = new Uint8Array(MAX_WORDS + 1);
  /**
   * For a line that begins with the word: its length, the least cost from there, and the first word
   * of the next line.
   */
  readonly lineLength = new Float64Array(MAX_WORDS + 1);
  readonly bestCost = new Float64Array(MAX_WORDS + 1);
  readonly nextBreak = new Int32Array(MAX_WORDS + 1);
  /** Weight of the difference in length between such a line and the line before. */
  readonly ragged = new Float64Array(MAX_WORDS + 1);
  /** Columns that a word adds to a line. Floating-point, like all numbers of the innermost loop. */
  readonly step = new Float64Array(MAX_WORDS + 1);
  /** Number of complete words. */
  count = 0;
  #end = 0;

  /** Number of bytes that still fit. */
  get room(): number {
    return MAX_BYTES - this.#end;
  }

  /** True if the current word is the last one that fits. */
  get full(): boolean {
    return this.count === MAX_WORDS - 2;
  }

  clear(): void {
    this.count = this.#end = 0;
  }

  /** Begins a word. */
  begin(): void {
    this.start[this.count] = this.#end;
  }

  /** Adds bytes to the word's text; there must be room for them. */
  put(bytes: Uint8Array, start: number, end: number): void {
    const { text } = this;
    let to = this.#end;
    for (let at = start; at < end; at++) text[to++] = bytes[at] as number;
    this.#end = to;
  }

  /** Completes the word's text; returns its length. */
  finishText(): number {
    const i = this.count;
    const start = this.start[i] as number;
    let last = this.#end - 1;
    this.size[i] = this.#end - start;
    this.paren[i] = OPEN[this.text[start] as number] as number;
    this.punct[i] = isPunct(this.text[last] as number) ? 1 : 0;
    while (last > start && CLOSE[this.text[last] as number] === 1) last--;
    this.period[i] = PERIOD[this.text[last] as number] as number;
    return this.size[i] as number;
  }

  /** Sets the space after the word. */
  finishSpace(columns: number, atLineEnd: boolean, atEnd: boolean, uniform: boolean): void {
    const i = this.count;
    const final = atEnd || (this.period[i] === 1 && (atLineEnd || columns > 1));
    this.final[i] = final ? 1 : 0;
    this.space[i] = atLineEnd || atEnd || uniform ? (final ? 2 : 1) : columns;
  }

  /** Adds the word, which is complete. */
  push(): void {
    this.count++;
  }

  /** Marks that the last word ends a sentence. */
  endParagraph(): void {
    this.period[this.count - 1] = this.final[this.count - 1] = 1;
  }

  /** Returns the text of a word that does not fit, and removes it. */
  takeText(): Uint8Array {
    const taken = this.text.subarray(0, this.#end);
    this.#end = 0;
    return taken;
  }

  /** Returns a word near the end before which a break is cheap. */
  splitPoint(): number {
    let split = this.count;
    let best = Infinity;
    for (let w = this.nextBreak[0] as number; w !== this.count; w = this.nextBreak[w] as number) {
      const cost = (this.bestCost[w] as number) -
        (this.bestCost[this.nextBreak[w] as number] as number);
      if (cost < best) {
        split = w;
        best = cost;
      }
      best += LINE_CREDIT;
    }
    return split;
  }

  /** Drops the words before `word`; the incomplete one stays. */
  drop(word: number): void {
    const shift = this.start[word] as number;
    this.text.copyWithin(0, shift, this.#end);
    this.#end -= shift;
    const columns = [this.start, this.size, this.space, this.paren, this.period, this.punct];
    for (const column of [...columns, this.final]) column.copyWithin(0, word, this.count + 1);
    this.count -= word;
    for (let i = 0; i <= this.count; i++) this.start[i] = (this.start[i] as number) - shift;
  }
}

/** Shape of a paragraph, in columns. */
export interface ParagraphShape {
  readonly width: number;
  readonly goal: number;
  readonly firstIndent: number;
  readonly otherIndent: number;
  /** Length of the line before the paragraph's first one; 0 if there is none. */
  readonly lastLength: number;
}

/** Finds the breaks with the least cost, from the last word to the first. */
export function breakLines(words: FmtWords, shape: ParagraphShape): void {
  const { count, size, space, step, bestCost, nextBreak, lineLength, ragged } = words;
  const { width, goal, firstIndent, otherIndent, lastLength } = shape;
  for (let w = 1; w < count; w++) step[w] = (space[w - 1] as number) + (size[w] as number);
  bestCost[count] = 0;
  for (let start = count - 1; start >= 0; start--) {
    let best = Infinity;
    let next = count;
    let bestLength = 0;
    let length = (start === 0 ? firstIndent : otherIndent) + (size[start] as number);
    const first = start === 0 && lastLength > 0 ? RAGGED_COST : 0;
    let w = start + 1;
    for (; w < count; w++) {
      const short = goal - length;
      const rag = length - (lineLength[w] as number);
      let cost = (bestCost[w] as number) + short * short * SHORT_COST +
        rag * rag * (ragged[w] as number);
      if (first > 0) cost += (length - lastLength) ** 2 * first;
      if (cost < best) {
        best = cost;
        next = w;
        bestLength = length;
      }
      length += step[w] as number;
      if (length >= width) break;
    }
    // The last line costs nothing.
    if (w === count && (length - lastLength) ** 2 * first < best) {
      best = (length - lastLength) ** 2 * first;
      next = count;
      bestLength = length;
    }
    nextBreak[start] = next;
    ragged[start] = next === count ? 0 : RAGGED_COST;
    lineLength[start] = bestLength;
    bestCost[start] = best + baseCost(words, start);
  }
}

/** Returns the cost of beginning a line with the word. */
function baseCost({ size, paren, period, punct, final }: FmtWords, word: number): number {
  let cost = LINE;
  if (word > 0) {
    if (period[word - 1] === 1) cost += final[word - 1] === 1 ? -SENTENCE_BONUS : NO_BREAK;
    else if (punct[word - 1] === 1) cost -= PUNCT_BONUS;
    else if (word > 1 && final[word - 2] === 1) {
      cost += Math.floor(WIDOW / ((size[word - 1] as number) + 2));
    }
  }
  if (paren[word] === 1) cost -= PAREN_BONUS;
  else if (final[word] === 1) cost += Math.floor(ORPHAN / ((size[word] as number) + 2));
  return cost;
}
