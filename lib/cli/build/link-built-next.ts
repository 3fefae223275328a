import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const built = '.next/standalone/node_modules/next';

/**
 * Runs after `npm ci` and in `npm run prune`. Without development dependencies Next is not installed: the server then
 * uses the part of it that the build contains (see next.config.mjs). Does nothing before a build.
 */
function linkBuiltNext(root: string): void {
  const installed = join(root, 'node_modules/next');
  if (existsSync(installed) || !existsSync(join(root, built))) return;
  // A link from before that leads nowhere.
  rmSync(installed, { force: true });
  symlinkSync(`../${built}`, installed);
}

linkBuiltNext(resolve(import.meta.dirname, '../../..'));
