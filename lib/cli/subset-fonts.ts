import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';

/**
 * Writes the site's typeface in the two weights of Open Graph images: `node lib/cli/subset-fonts.ts`. The library
 * that draws them reads neither WOFF 2 nor axes.
 */

const root = join(import.meta.dirname, '../..');
const source = join(root, 'node_modules/@fontsource-variable/archivo/files');
const target = join(root, 'lib/media/og-image/fonts');

const weights = { medium: 500, heavy: 790 };
const parts = ['latin', 'latin-ext'];
/** Latin letters, punctuation, arrows and currency signs: as far as the typeface has them. */
const ranges = [
  [0x20, 0x24f],
  [0x1e00, 0x1eff],
  [0x2000, 0x22ff],
] as const;

function toText([first, last]: readonly [number, number]): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));
}

for (const part of parts) {
  const font = await readFile(join(source, `archivo-${part}-standard-normal.woff2`));
  for (const [name, wght] of Object.entries(weights)) {
    const subset = await subsetFont(font, ranges.map(toText).join(''), {
      targetFormat: 'truetype',
      variationAxes: { wght, wdth: 104 },
    });
    await writeFile(join(target, `archivo-${part}-${name}.ttf`), subset);
  }
}
