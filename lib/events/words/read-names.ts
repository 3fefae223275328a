import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = join(process.cwd(), 'lib/events/words');

/** Reads a list of names. It is no import: each route's bundle would have a copy of half a megabyte. */
export function readNamesFile<Names>(
  file: 'city-names.json' | 'city-positions.json' | 'country-names.json',
): Names {
  return JSON.parse(readFileSync(join(directory, file), 'utf8'));
}
