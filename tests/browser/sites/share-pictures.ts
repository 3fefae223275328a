import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Playwright empties the folder of its results when a run starts.
const pictures = join(import.meta.dirname, '../../../test-results/browser/pictures');

/**
 * The setting of a server that shares its pictures with the other servers of the run, as processes on one machine
 * may: encoding the sample's posters took a quarter of all CPU time of the browser tests.
 */
export function sharePictures(): Readonly<{ DATA_DIR: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marquee-data-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  mkdirSync(pictures, { recursive: true });
  symlinkSync(pictures, join(dataDir, 'media'));
  return { DATA_DIR: dataDir };
}
