import { spawnSync } from 'node:child_process';

/** The path of the installed browser, or an empty string: tests download none. */
export function findChromium(): string {
  return spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim();
}

/** It may run as root in a container, and makes no requests of its own. */
export const chromiumArguments = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
