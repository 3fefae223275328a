import { join } from 'node:path';
import { XMLBuilder } from 'fast-xml-parser';
import sharp from 'sharp';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { openOgFonts } from './og-fonts.ts';

/** Text as a PNG, cropped to its ink. */
export type DrawnText = Readonly<{ png: Buffer; width: number; height: number }>;

type TextStyle = Readonly<{
  color: string;
  /** Font size in pixels. */
  size: number;
  isBold?: boolean;
  widthMax: number;
}>;

/** What the machine may have, where there is no build. */
const otherFamilies = ['Noto Sans', 'Noto Sans CJK JP', 'DejaVu Sans', 'sans-serif'];
const fonts = openOgFonts(join(process.cwd(), '.next/og-fonts'));

const builder = new XMLBuilder({ ignoreAttributes: false });

/**
 * Draws text, wrapped at `widthMax`. Pango lays it out, so every script comes out right.
 * @returns null for text without anything to draw, or where no font has its characters.
 */
export async function drawText(text: string, style: TextStyle): Promise<DrawnText | null> {
  const plain = await toDrawable(text);
  if (plain === '') return null;
  const families = [...new Set([...(await fonts.load(plain)), ...otherFamilies])].join(', ');
  const markup = builder.build({ span: { '@_foreground': style.color, '#text': plain } });
  const font = `${families} ${style.isBold === true ? 'Bold ' : ''}${style.size}`;
  const picture = sharp({
    text: { text: markup, font, width: style.widthMax, dpi: 72, rgba: true, wrap: 'word-char' },
  });
  try {
    const { data, info } = await picture.png().toBuffer({ resolveWithObject: true });
    return { png: data, width: info.width, height: info.height };
  } catch {
    return null;
  }
}

type FittedTextStyle = Omit<TextStyle, 'size'> &
  Readonly<{ sizes: readonly number[]; heightMax: number }>;

/** Draws text in the first of `sizes` (largest first) that fits `heightMax`; shortens it if none does. */
export async function drawFittedText(
  text: string,
  { sizes, heightMax, ...style }: FittedTextStyle,
): Promise<DrawnText | null> {
  let plain = shortenText(await toDrawable(text), 200);
  for (const size of sizes) {
    const drawn = await drawText(plain, { ...style, size });
    if (drawn === null || drawn.height <= heightMax) return drawn;
  }
  const size = sizes.at(-1) ?? 32;
  while (plain.length > 10) {
    plain = shortenText(plain, Math.floor(plain.length * 0.8));
    const drawn = await drawText(plain, { ...style, size });
    if (drawn === null || drawn.height <= heightMax) return drawn;
  }
  return null;
}

// What no font of the build has would show as empty boxes: few servers have others. Without a build, only emoji are
// left out. Of sequences, such as families and flags, the first emoji is drawn.
async function toDrawable(text: string): Promise<string> {
  const plain = text
    .replace(/(\p{Extended_Pictographic})(?:[\ufe0f\p{Emoji_Modifier}]*\u200d\P{M})+/gu, '$1')
    .replace(/\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u200d\ufe0f\u20e3]|\p{Cn}|\p{Co}/gu, '');
  const pattern = (await fonts.has('a')) ? /[^\s\p{Cf}]/gu : /\p{Extended_Pictographic}/gu;
  const missing = new Set<string>();
  for (const character of new Set(plain.match(pattern))) {
    if (!(await fonts.has(character))) missing.add(character);
  }
  return toOneLine([...plain].filter((character) => !missing.has(character)).join(''));
}
