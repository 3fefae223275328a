import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { XMLBuilder } from 'fast-xml-parser';
import sharp from 'sharp';
import { shortenText, toOneLine } from '#lib/events/view/words/clean-text.ts';

/** Text as a PNG, cropped to its ink. */
export type DrawnText = Readonly<{ png: Buffer; width: number; height: number }>;

export type TextStyle = Readonly<{
  color: string;
  /** Font size in pixels. */
  size: number;
  isBold?: boolean;
  widthMax: number;
}>;

/** The site's typeface (written by lib/cli/subset-fonts.ts), then what the machine has for other scripts. */
const ownFamily = 'Archivo SemiBold';
const families = `${ownFamily}, Noto Sans, Noto Sans CJK JP, DejaVu Sans, sans-serif`;
const fontsDirectory = join(process.cwd(), 'lib/media/og-image/fonts');
let areFontsLoaded: Promise<void> | null = null;

const builder = new XMLBuilder({ ignoreAttributes: false });

/**
 * Draws text, wrapped at `widthMax`. Pango lays it out, so every script comes out right.
 * @returns null for text without anything to draw, or where no font has its characters.
 */
export async function drawText(text: string, style: TextStyle): Promise<DrawnText | null> {
  const plain = toDrawable(text);
  if (plain === '') return null;
  areFontsLoaded ??= loadFonts();
  await areFontsLoaded;
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

export type FittedTextStyle = Omit<TextStyle, 'size'> &
  Readonly<{ sizes: readonly number[]; heightMax: number }>;

/** Draws text in the first of `sizes` (largest first) that fits `heightMax`; shortens it if none does. */
export async function drawFittedText(
  text: string,
  { sizes, heightMax, ...style }: FittedTextStyle,
): Promise<DrawnText | null> {
  let plain = shortenText(toDrawable(text), 200);
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

// A font file that was used once is known to the process from then on.
async function loadFonts(): Promise<void> {
  const files = await readdir(fontsDirectory).catch(() => []);
  for (const file of files) {
    const text = { text: 'a', font: ownFamily, fontfile: join(fontsDirectory, file), rgba: true };
    await sharp({ text }).png().toBuffer();
  }
}

// Few servers have fonts for emoji or unassigned characters: they would show as empty boxes.
function toDrawable(text: string): string {
  const drawable = text
    .replace(/\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Emoji_Modifier}/gu, '')
    .replace(/\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3|\p{Cn}|\p{Co}/gu, '');
  return toOneLine(drawable);
}
