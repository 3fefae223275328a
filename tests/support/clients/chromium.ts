import { spawnSync } from 'node:child_process';

/** The path of the installed browser, or an empty string. Tests do not download one. */
export function findChromium(): string {
  return spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim();
}

/** Allows root in a container, and turns off background requests. */
export const chromiumArguments = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
