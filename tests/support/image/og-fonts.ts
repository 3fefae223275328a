import { writeOgFonts } from '#lib/cli/build/write-og-fonts.ts';

/** Writes the fonts of Open Graph images, as the build does, before any test draws with them. */
export function setup(): Promise<void> {
  return writeOgFonts(process.cwd());
}
