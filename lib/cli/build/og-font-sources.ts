/** Which part of a font package the Open Graph images have. */
export type FontSource = Readonly<{
  /** The package, and the first part of its file names. */
  name: string;
  /** The name that its font files give themselves. */
  family: string;
  axis: 'standard' | 'wght';
  /** Names of its parts; null: those that are numbered. */
  parts: readonly string[] | null;
  /** null: all that these parts have. */
  characters: ReadonlySet<string> | null;
  /** Where on its axes a font is cut out. */
  instances: readonly Readonly<Record<string, number>>[];
}>;

const noto = { axis: 'wght', characters: null, instances: [{ wght: 600 }] } as const;
const numbered = { ...noto, parts: null } as const;

/** In the order of preference. */
export const fontSources: readonly FontSource[] = [
  {
    name: 'archivo',
    family: 'Archivo SemiBold',
    axis: 'standard',
    parts: ['latin', 'latin-ext'],
    characters: null,
    instances: [
      { wght: 500, wdth: 104 },
      { wght: 790, wdth: 104 },
    ],
  },
  {
    ...noto,
    name: 'noto-sans',
    family: 'Noto Sans',
    parts: ['cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese', 'devanagari'],
  },
  { ...noto, name: 'noto-sans-arabic', family: 'Noto Sans Arabic', parts: ['arabic'] },
  { ...noto, name: 'noto-sans-thai', family: 'Noto Sans Thai', parts: ['thai'] },
  { ...noto, name: 'noto-sans-hebrew', family: 'Noto Sans Hebrew Thin', parts: ['hebrew'] },
  {
    ...numbered,
    name: 'noto-sans-jp',
    family: 'Noto Sans JP Thin',
    characters: toCharacterSet('euc-jp', 84),
  },
  {
    ...numbered,
    name: 'noto-sans-sc',
    family: 'Noto Sans SC Thin',
    characters: toCharacterSet('gbk', 87),
  },
  {
    ...numbered,
    name: 'noto-sans-kr',
    family: 'Noto Sans KR Thin',
    characters: toCharacterSet('euc-kr', 40),
  },
  { ...numbered, name: 'noto-emoji', family: 'Noto Emoji' },
];

/**
 * The characters of a national standard: 94 rows of 94, of which the first are in common use. Fonts with all
 * ideographs are five times as large.
 * @param encoding an encoding that writes row and cell as two bytes.
 */
function toCharacterSet(encoding: string, lastRow: number): ReadonlySet<string> {
  const cells = Array.from({ length: 94 }, (_, cell) => 0xa1 + cell);
  const rows = cells.slice(0, lastRow);
  const bytes = rows.flatMap((row) => cells.flatMap((cell) => [row, cell]));
  const text = new TextDecoder(encoding).decode(new Uint8Array(bytes));
  return new Set(text.replaceAll('\ufffd', ''));
}
