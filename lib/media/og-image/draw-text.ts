import { XMLBuilder } from 'fast-xml-parser';
import sharp from 'sharp';
import { shortenText, toOneLine } from '#lib/events/view/clean-text.ts';

/** A piece of text as a picture of its own, as large as its ink. */
export type DrawnText = Readonly<{ png: Buffer; width: number; height: number }>;

export type TextStyle = Readonly<{
  color: string;
  /** Height of the type, in pixels. */
  size: number;
  isBold?: boolean;
  widthMax: number;
}>;

/** Whatever of these the machine has; the last one it always has, in some form. */
const families = 'Archivo, Liberation Sans, Helvetica, Arial, DejaVu Sans, sans-serif';

const builder = new XMLBuilder({ ignoreAttributes: false });

/**
 * Draws a text, in lines where it is too long for one. The machine's own type engine measures and
 * breaks it, so that every script is laid out as its readers expect.
 * @returns null where there is nothing to draw, or no type to draw it with.
 */
export async function drawText(text: string, style: TextStyle): Promise<DrawnText | null> {
  const plain = toDrawable(text);
  if (plain === '') return null;
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

/** The same in the first of some sizes in which it is no higher than it may be; shortened, where none is. */
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

// Few servers have type for emoji, nor for what is nobody's character: empty boxes are left out.
function toDrawable(text: string): string {
  const drawable = text
    .replace(/\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Emoji_Modifier}/gu, '')
    .replace(/\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3|\p{Cn}|\p{Co}/gu, '');
  return toOneLine(drawable);
}
