import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** A font file of Open Graph images, and what it is for. */
export type FontFile = Readonly<{ family: string; file: string; characters: string }>;

export const ogFontsIndex = 'index.json';

type OgFonts = Readonly<{
  /** Makes the fonts that a text needs known to the process. @returns their families, in the order of preference. */
  load: (text: string) => Promise<readonly string[]>;
  /** Whether one of them has a character. */
  has: (character: string) => Promise<boolean>;
}>;

type FontFamily = Readonly<{
  name: string;
  isEastAsian: boolean;
  files: readonly Readonly<{ file: string; characters: ReadonlySet<string> }>[];
}>;

const eastAsian = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hira}\p{Script=Kana}]/u;

/** The fonts that `npm run build` wrote. Without a build, texts are drawn with what the machine has. */
export function openOgFonts(directory: string): OgFonts {
  const known = new Set<string>();
  let index: Promise<readonly FontFamily[]> | null = null;
  const readFamilies = () => {
    index ??= readIndex(directory);
    return index;
  };

  async function load(text: string): Promise<readonly string[]> {
    let left = [...new Set(text)];
    const families: string[] = [];
    for (const { name, files } of toPreferred(await readFamilies(), left)) {
      const needed = files.filter(({ characters }) =>
        left.some((character) => characters.has(character)),
      );
      if (needed.length === 0) continue;
      families.push(name);
      for (const { file } of needed) await makeKnown(name, file);
      left = left.filter(
        (character) => !needed.some(({ characters }) => characters.has(character)),
      );
    }
    return families;
  }

  // A font file that was used once is known to the process from then on.
  async function makeKnown(family: string, file: string): Promise<void> {
    if (known.has(file)) return;
    const fontfile = join(directory, file);
    await sharp({ text: { text: 'a', font: family, fontfile, rgba: true } })
      .png()
      .toBuffer();
    known.add(file);
  }

  return {
    load,
    async has(character) {
      const families = await readFamilies();
      return families.some(({ files }) =>
        files.some(({ characters }) => characters.has(character)),
      );
    },
  };
}

async function readIndex(directory: string): Promise<readonly FontFamily[]> {
  const text = await readFile(join(directory, ogFontsIndex), 'utf8').catch(() => '[]');
  const files: FontFile[] = JSON.parse(text);
  return [...Map.groupBy(files, ({ family }) => family)].map(([name, own]) => ({
    name,
    isEastAsian: own.some(({ characters }) => eastAsian.test(characters)),
    files: own.map(({ file, characters }) => ({ file, characters: new Set(characters) })),
  }));
}

/** Ideographs look different in Japan, China and Korea: of those families, first the one that has most of a text. */
function toPreferred(families: readonly FontFamily[], characters: readonly string[]) {
  const letters = characters.filter((character) => eastAsian.test(character));
  const count = ({ files }: FontFamily) =>
    letters.filter((letter) => files.some((file) => file.characters.has(letter))).length;
  return [
    ...families.filter(({ isEastAsian }) => !isEastAsian),
    ...families.filter(({ isEastAsian }) => isEastAsian).sort((a, b) => count(b) - count(a)),
  ];
}
