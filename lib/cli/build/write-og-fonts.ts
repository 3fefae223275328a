import { hash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { type FontFile, ogFontsIndex } from '#lib/site/media/og-image/og-fonts.ts';
import { type FontSource, fontSources } from './og-font-sources.ts';

/**
 * Writes the fonts of Open Graph images: the site’s typeface, and Noto for scripts that it lacks. The library that
 * draws them reads neither WOFF 2 nor axes. Does nothing as long as the sources are the same.
 */
export async function writeOgFonts(root: string): Promise<void> {
  const packages = join(root, 'node_modules/@fontsource-variable');
  const target = join(root, '.next/og-fonts');
  const version = await toVersion(packages);
  const written = await readFile(join(target, 'version'), 'utf8').catch(() => null);
  if (written === version) return;
  // Renamed when complete: two processes may write at once.
  const folder = `${target}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  const files: FontFile[] = [];
  for (const source of fontSources) {
    files.push(...(await writeSource(source, { folder, package: join(packages, source.name) })));
  }
  await writeFile(join(folder, ogFontsIndex), JSON.stringify(files));
  await writeFile(join(folder, 'version'), version);
  await rm(target, { recursive: true, force: true });
  await rename(folder, target);
}

async function toVersion(packages: string): Promise<string> {
  const versions = fontSources.map(async ({ name }) => {
    const text = await readFile(join(packages, name, 'package.json'), 'utf8');
    return JSON.parse(text).version;
  });
  // Sets become arrays: JSON leaves them out.
  const sources = fontSources.map(({ characters, ...source }) => [source, ...(characters ?? [])]);
  return hash('sha256', JSON.stringify([await Promise.all(versions), sources])).slice(0, 16);
}

/** A package has a file for each of many ranges of characters. */
async function writeSource(
  source: FontSource,
  paths: Readonly<{ folder: string; package: string }>,
): Promise<FontFile[]> {
  const { name, family, axis, parts, characters, instances } = source;
  const ranges: Record<string, string> = JSON.parse(
    await readFile(join(paths.package, 'unicode.json'), 'utf8'),
  );
  const files: FontFile[] = [];
  for (const [key, range] of Object.entries(ranges)) {
    const part = key.replace(/[[\]]/g, '');
    const wanted = [...toCharacters(range)]
      .filter((character) => characters?.has(character) ?? true)
      .join('');
    if (wanted === '' || !(parts?.includes(part) ?? /^\d+$/.test(part))) continue;
    const font = await readFile(
      join(paths.package, 'files', `${name}-${part}-${axis}-normal.woff2`),
    );
    for (const axes of instances) {
      const file = `${name}-${part}-${axes.wght}.ttf`;
      const subset = await subsetFont(font, wanted, {
        targetFormat: 'truetype',
        variationAxes: axes,
      });
      await writeFile(join(paths.folder, file), subset);
      files.push({ family, file, characters: wanted });
    }
  }
  return files;
}

/** The characters of a CSS `unicode-range`. */
function toCharacters(range: string): string {
  const parts = range.split(',').map((part) => {
    const [first = 0, last = first] = part
      .trim()
      .slice('U+'.length)
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
  });
  return parts.flat().join('');
}

// After `next build`, which empties its folder.
if (import.meta.main) await writeOgFonts(join(import.meta.dirname, '../../..'));
