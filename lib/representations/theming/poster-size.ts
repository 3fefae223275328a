import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { hasPicture } from './poster-theme.ts';

/** The size of a poster and of the name on it, computed on the server to prevent layout shifts. */
type PosterSize = Readonly<{
  /** The least height, in rem. */
  height: number;
  /** Width on the poster wall, in columns. */
  weight: number;
  /** Font size of the name, in percent of the width of a one-column poster. */
  nameSize: number;
  /** The same for a two-column poster. */
  wideNameSize: number;
  /** Width of the name in lines of equal length, in ems: that of its ground over a picture. */
  nameWidth: number;
  /** The same for a two-column poster. */
  wideNameWidth: number;
  /** `font-stretch` in percent, 62–125: wide for short names, narrow for long ones. */
  nameStretch: number;
}>;

type SizedEvent = Pick<MarqueeEvent, 'id' | 'name' | 'background' | 'pictures'>;

/** The space for a name and the bounds of its font size, in percent of the poster's width. */
type TextBox = Readonly<{ width: number; height: number; min: number; max: number }>;

const narrow = { width: 85, min: 6.2, max: 24 };
const wide = { width: 74, min: 3.6, max: 11 };

/** For posters with a picture, with a logo, or with neither. */
const layouts = {
  picture: {
    height: 27,
    weight: 1.15,
    // The name has a ground, wider than its text.
    narrow: { ...narrow, width: 72, height: 21 },
    wide: { ...wide, width: 66, height: 14 },
  },
  logo: {
    height: 25,
    weight: 1,
    narrow: { ...narrow, height: 38 },
    wide: { ...wide, height: 19 },
  },
  type: {
    height: 23,
    weight: 0.95,
    narrow: { ...narrow, height: 62 },
    wide: { ...wide, height: 30 },
  },
} as const;

/** The average width of a letter in ems, at a font stretch of 100 %. */
const letterWidth = 0.6;
const spaceWidth = 0.25;
const nameLengthMax = 300;

/** Computes the size of an event's poster. */
export function toPosterSize(event: SizedEvent): PosterSize {
  const layout = layouts[toKind(event)];
  const texts = event.name.slice(0, nameLengthMax).split(/\s+/);
  const nameStretch = toStretch(texts.map((text) => toEms(text, 100) / letterWidth));
  const words = texts.map((text) => toEms(text, nameStretch));
  // Constant for an event, so that similar posters do not look like a table.
  const jitter = toJitter(event.id);
  const nameSize = fitSize(words, layout.narrow);
  const wideNameSize = fitSize(words, layout.wide);
  return {
    height: layout.height + jitter,
    weight: layout.weight + jitter / 25,
    nameSize,
    wideNameSize,
    nameWidth: toBalancedWidth(words, layout.narrow.width / nameSize),
    wideNameWidth: toBalancedWidth(words, layout.wide.width / wideNameSize),
    nameStretch,
  };
}

function toKind(event: SizedEvent): keyof typeof layouts {
  if (hasPicture(event)) return 'picture';
  return event.pictures.logo === null ? 'type' : 'logo';
}

const fullWidth =
  /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u;

// Han, Kana, Hangul and emoji are one em wide at any stretch: their fonts have no other widths.
function toEms(word: string, stretch: number): number {
  let width = 0;
  for (const letter of word) {
    if (fullWidth.test(letter)) width += 1;
    else width += (toLetterWidth(letter) * letterWidth * stretch) / 100;
  }
  return width;
}

function toLetterWidth(letter: string): number {
  if (/\p{M}/u.test(letter)) return 0;
  if (/[fijlrtI1.,:;!'’]/.test(letter)) return 0.55;
  if (/[mwMW]/.test(letter)) return 1.5;
  return /\p{Lu}/u.test(letter) ? 1.2 : 1;
}

function toStretch(widths: readonly number[]): number {
  const total = widths.reduce((sum, width) => sum + width, widths.length - 1);
  const longest = Math.max(...widths);
  if (total <= 9) return 125;
  if (total <= 18 && longest <= 9) return 112;
  if (total <= 30 && longest <= 11) return 96;
  return total <= 48 ? 82 : 68;
}

// The largest font size at which all lines fit, at a line height of 1.
function fitSize(words: readonly number[], { width, height, min, max }: TextBox): number {
  for (let size = max; size > min; size *= 0.97) {
    const fits = words.every((word) => word * size <= width);
    if (fits && countLines(words, width / size) * size <= height) return roundDown(size);
  }
  return min;
}

/** Lines may be longer than estimated. */
const slack = { factor: 1.03, ems: 0.15 };

// The least width at which there are no more lines than at this one.
function toBalancedWidth(words: readonly number[], lineWidth: number): number {
  const lines = countLines(words, lineWidth);
  let width = Math.max(...words);
  while (width < lineWidth && countLines(words, width) > lines) width += 0.1;
  return roundDown(width * slack.factor + slack.ems);
}

function countLines(words: readonly number[], lineWidth: number): number {
  let lines = 1;
  let filled = -spaceWidth;
  for (const word of words) {
    if (filled + spaceWidth + word > lineWidth && filled > 0) {
      lines++;
      filled = -spaceWidth;
    }
    filled += spaceWidth + word;
  }
  return lines;
}

// A whole number from -2 to 2.
function toJitter(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return (sum % 5) - 2;
}

/** The numbers of columns that the poster wall has on wider and wider screens, besides one. */
export const columnCounts = [2, 3, 4, 5, 6] as const;

/** How much more than full a line may be before another one begins, in columns. */
const excessMax = 0.12;

/** How much wider than it wants to be a poster of a wall with a single line may become. */
const stretchMax = 1.6;

/**
 * Divides posters among lines that fill the width of the wall, all of them about equally full. Too few for one line
 * leave room beside them: a poster must not become a banner.
 * @param weights how wide each poster wants to be, in columns.
 * @returns the width of each poster, in percent of its line.
 */
export function toWallWidths(weights: readonly number[], columnCount: number): number[] {
  const total = sum(weights);
  const lineCount = Math.max(1, Math.ceil(total / columnCount - excessMax));
  const lineWeight = total / lineCount;
  const lines: number[][] = Array.from({ length: lineCount }, () => []);
  let before = 0;
  for (const weight of weights) {
    // The line that its middle falls into.
    lines[Math.min(Math.floor((before + weight / 2) / lineWeight), lineCount - 1)]?.push(weight);
    before += weight;
  }
  const fullMin = lineCount === 1 ? columnCount / stretchMax : 0;
  return lines.flatMap((line) => {
    const full = Math.max(sum(line), fullMin);
    return line.map((weight) => roundDown((weight / full) * 100));
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

// Names must fit on their lines, and posters into theirs.
function roundDown(size: number): number {
  return Math.floor(size * 10) / 10;
}
