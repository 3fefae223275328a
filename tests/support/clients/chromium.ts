import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright';

/** Starts what measurements use: the browser that people have. */
export function launchChromium(...args: readonly string[]): Promise<Browser> {
  const executablePath = findProgram('chromium');
  return chromium.launch({ executablePath, args: [...chromiumArguments, ...args] });
}

/**
 * What tests use: Playwright's default kind of browser, which takes a third less time, or else Chromium. An empty
 * string if both are missing; tests do not download one.
 */
export function findHeadlessChromium(): string {
  return findProgram('chromium-headless-shell') || findProgram('chromium');
}

function findProgram(name: string): string {
  return spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
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
