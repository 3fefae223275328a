import type { MarqueeEvent } from '#lib/events/schema.ts';
import { hasPicture } from './poster-theme.ts';

/** How large a poster is, and its name on it: known before anything is drawn, so nothing ever moves. */
export type PosterFormat = Readonly<{
  /** Height in rows of the wall. */
  rows: number;
  /** Size of the name in hundredths of the poster's width, on a poster of one column … */
  nameSize: number;
  /** … and on one of two. */
  wideNameSize: number;
  /** Width of the letters in percent, 62–125: a short name is set wide, a long one narrow. */
  nameStretch: number;
}>;

type Formed = Pick<MarqueeEvent, 'id' | 'name' | 'background' | 'logoUrl'>;

/** Hundredths of a poster's width: its inner width, and the height that is left for the name. */
const innerWidth = 86;
const nameHeights = { picture: 34, logo: 40, type: 78 } as const;
const wideNameHeights = { picture: 22, logo: 22, type: 34 } as const;
const rowsOf = { picture: 28, logo: 26, type: 24 } as const;
const sizeBounds = { min: 6, max: 24 } as const;
const wideSizeBounds = { min: 3.6, max: 11 } as const;

/** A letter's width in ems, at a width of 100 %, in the weight that names are set in. */
const letterWidth = 0.6;
/** Lines are never filled to their ends. */
const unfilled = 1.25;

/** The format of an event's poster, from what will be on it. */
export function toPosterFormat(event: Formed): PosterFormat {
  const kind = toKind(event);
  const widths = event.name.slice(0, 300).split(/\s+/).map(toWidth);
  const total = widths.reduce((sum, width) => sum + width + 0.4, 0);
  const longest = Math.max(1, ...widths);
  const nameStretch = toStretch(total, longest);
  const measure = {
    total: (total * nameStretch) / 100,
    longest: (longest * nameStretch) / 100,
  };
  return {
    // A little unrest, the same each time, so that equals do not stand in rows.
    rows: rowsOf[kind] + toUnrest(event.id),
    nameSize: fitSize(measure, nameHeights[kind], sizeBounds),
    wideNameSize: fitSize(measure, wideNameHeights[kind], wideSizeBounds),
    nameStretch,
  };
}

function toKind(event: Formed): keyof typeof rowsOf {
  if (hasPicture(event)) return 'picture';
  return event.logoUrl === null ? 'type' : 'logo';
}

// Widths in letters. Han, Kana, Hangul and emoji are as wide as they are high.
function toWidth(word: string): number {
  let width = 0;
  for (const letter of word) {
    if (/\p{M}/u.test(letter)) continue;
    if (
      /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u.test(
        letter,
      )
    ) {
      width += 1 / letterWidth;
    } else width += /\p{Lu}/u.test(letter) ? 1.2 : 1;
  }
  // What has no spaces breaks anywhere.
  return Math.min(width, 24);
}

function toStretch(total: number, longest: number): number {
  if (total <= 9) return 125;
  if (total <= 18 && longest <= 9) return 112;
  if (total <= 30 && longest <= 11) return 96;
  return total <= 48 ? 82 : 68;
}

type Measure = Readonly<{ total: number; longest: number }>;
type Bounds = Readonly<{ min: number; max: number }>;

// The longest word fits on a line, and all lines (as high as their letters are large) fit in the height.
function fitSize({ total, longest }: Measure, height: number, { min, max }: Bounds): number {
  const byWord = innerWidth / (longest * letterWidth);
  const byArea = Math.sqrt((height * innerWidth) / (total * letterWidth * unfilled));
  return Math.round(Math.min(Math.max(Math.min(byWord, byArea), min), max) * 10) / 10;
}

function toUnrest(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return (sum % 5) - 2;
}
