import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';

/**
 * Writes the typefaces of pages, with the letters, weights and widths that the site uses alone: `npm run fonts`.
 * The files are committed, so that neither development nor a build has to write them; `fonts.ts` loads them.
 */

const root = join(import.meta.dirname, '../../..');
const packages = join(root, 'node_modules/@fontsource-variable');
const target = join(root, 'app/_styles/fonts');

type Range = readonly [first: number, last: number];

/** Latin letters, dashes, quotation marks, bullets, arrows and signs, as far as a typeface has them. */
const latin: readonly Range[] = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x2010, 0x203a],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
];
/** The same without signs that few headings have: a seventh of the file. */
const headings: readonly Range[] = [
  [0x20, 0x7e],
  [0xa0, 0xa3],
  [0xa9, 0xa9],
  [0xab, 0xab],
  [0xae, 0xae],
  [0xb0, 0xb0],
  [0xb7, 0xb7],
  [0xbb, 0xbb],
  [0xbf, 0xff],
  [0x2010, 0x2014],
  [0x2018, 0x201e],
  [0x2022, 0x2022],
  [0x2026, 0x2026],
  [0x2039, 0x203a],
  [0x20ac, 0x20ac],
];
/** Further letters of European languages. */
const latinExtended: readonly Range[] = [
  [0x100, 0x17e],
  [0x218, 0x21b],
  [0x1e9e, 0x1e9e],
];

const textAxes = { wght: { min: 400, max: 800 } };
const displayAxes = { wght: 790, wdth: { min: 68, max: 125 } };
const archivo = 'archivo/files/archivo';
const jetBrainsMono = 'jetbrains-mono/files/jetbrains-mono';

const faces = [
  {
    from: `${archivo}-latin-wght-normal`,
    to: 'text',
    letters: latin,
    axes: textAxes,
    // Tabular figures.
    hasVariants: true,
  },
  {
    from: `${archivo}-latin-ext-wght-normal`,
    to: 'text-extended',
    letters: latinExtended,
    axes: textAxes,
  },
  { from: `${archivo}-latin-standard-normal`, to: 'display', letters: headings, axes: displayAxes },
  {
    from: `${jetBrainsMono}-latin-wght-normal`,
    to: 'mono',
    letters: latin,
    axes: { wght: 400 },
  },
];

for (const { from, to, letters, axes, hasVariants = false } of faces) {
  const font = await readFile(join(packages, `${from}.woff2`));
  const text = letters.map(toText).join('');
  const subset = await subsetFont(font, text, {
    targetFormat: 'woff2',
    variationAxes: axes,
    // Ligatures and other variants of letters are a fifth of a file.
    noLayoutClosure: !hasVariants,
  });
  await writeFile(join(target, `${to}.woff2`), subset);
  console.log(`${to}.woff2: ${font.length} → ${subset.length} bytes`);
}

function toText([first, last]: Range): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));
}
