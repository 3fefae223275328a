import { execFileSync } from 'node:child_process';

/** The browser that the machine has: nothing is downloaded for the tests. */
export function findChromium(): string {
  return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
}

/** It runs as whoever runs the tests, root in a container, and calls no one. */
export const chromiumArguments = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
