import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { hasPicture } from './poster-theme.ts';

/** How large a poster is, and its name on it: known before anything is drawn, so nothing ever moves. */
export type PosterFormat = Readonly<{
  /** Height in rows of the wall. */
  rows: number;
  /** Size of the name in hundredths of the poster's width, on a poster of one column … */
  nameSize: number;
  /** … and on a wide one. */
  wideNameSize: number;
  /** Width of the letters in percent, 62–125: a short name is set wide, a long one narrow. */
  nameStretch: number;
}>;

type Formed = Pick<MarqueeEvent, 'id' | 'name' | 'background' | 'pictures'>;

/** Room for a name, and bounds of its size, in hundredths of the poster's width. */
type Room = Readonly<{ width: number; height: number; min: number; max: number }>;

const narrow = { width: 85, min: 6.2, max: 24 };
const wide = { width: 74, min: 3.6, max: 11 };

/** What there is beside the name leaves so much room for it. */
const formats = {
  picture: { rows: 30, narrow: { ...narrow, height: 36 }, wide: { ...wide, height: 17 } },
  logo: { rows: 29, narrow: { ...narrow, height: 38 }, wide: { ...wide, height: 19 } },
  type: { rows: 27, narrow: { ...narrow, height: 62 }, wide: { ...wide, height: 30 } },
} as const;

/** A letter's width in ems, at a width of 100 %, in the weight that names are set in. */
const letterWidth = 0.6;
const spaceWidth = 0.25;
const nameLengthMax = 300;

/** The format of an event's poster, from what will be on it. */
export function toPosterFormat(event: Formed): PosterFormat {
  const format = formats[toKind(event)];
  const widths = event.name.slice(0, nameLengthMax).split(/\s+/).map(toWidth);
  const nameStretch = toStretch(widths);
  const words = widths.map((width) => (width * letterWidth * nameStretch) / 100);
  return {
    // A little unrest, the same each time, so that equals do not stand in rows.
    rows: format.rows + toUnrest(event.id),
    nameSize: fitSize(words, format.narrow),
    wideNameSize: fitSize(words, format.wide),
    nameStretch,
  };
}

function toKind(event: Formed): keyof typeof formats {
  if (hasPicture(event)) return 'picture';
  return event.pictures.logo === null ? 'type' : 'logo';
}

const fullWidth =
  /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u;

// In letters. Han, Kana, Hangul and emoji are as wide as they are high.
function toWidth(word: string): number {
  let width = 0;
  for (const letter of word) {
    if (fullWidth.test(letter)) width += 1 / letterWidth;
    else if (!/\p{M}/u.test(letter)) width += /\p{Lu}/u.test(letter) ? 1.2 : 1;
  }
  return width;
}

function toStretch(widths: readonly number[]): number {
  const total = widths.reduce((sum, width) => sum + width, widths.length - 1);
  const longest = Math.max(...widths);
  if (total <= 9) return 125;
  if (total <= 18 && longest <= 9) return 112;
  if (total <= 30 && longest <= 11) return 96;
  return total <= 48 ? 82 : 68;
}

// The largest size at which the lines, each as high as its letters are large, fit in the room.
function fitSize(words: readonly number[], { width, height, min, max }: Room): number {
  for (let size = max; size > min; size *= 0.97) {
    const fits = words.every((word) => word * size <= width);
    if (fits && countLines(words, width / size) * size <= height) return round(size);
  }
  return min;
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

function round(size: number): number {
  return Math.floor(size * 10) / 10;
}

function toUnrest(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return (sum % 5) - 2;
}
