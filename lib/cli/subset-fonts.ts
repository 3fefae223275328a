import { join } from 'node:path';
import { writeOgFonts } from './write-og-fonts.ts';

/** Runs after `next build`, which empties its folder. */
await writeOgFonts(join(import.meta.dirname, '../..'));
