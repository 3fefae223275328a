import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded } from '#lib/cli/build/build-if-needed.ts';
import { install, isInstalled, mayInstall, type Program, toInstallCommand } from './programs.ts';
import { findRequirements, listTestFiles, selectTestFiles } from './test-files.ts';

/**
 * `npm test`: all tests, or those whose file name contains one of the words given. Builds and installs
 * only what the chosen files need. `-t "name"` goes to both test runners, other options to vitest.
 */
async function main(): Promise<void> {
  const { words, options, testName } = parseArguments(process.argv.slice(2));
  const files = selectTestFiles(listTestFiles(), words);
  if (files.length === 0) throw new Error(`No test file is named like ${words.join(' or ')}.`);
  const { programs, isBuildNeeded } = findRequirements(files);
  const missing = installMissing(programs);
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  // Midnight would change the status of events: in the last hours of a day they take place elsewhere.
  process.env.MARQUEE_TEST_ZONE ??= new Date().getUTCHours() >= 22 ? 'Etc/GMT+6' : 'UTC';
  if (isBuildNeeded) await buildIfNeeded();
  const folder = makeTemporaryFolder();
  try {
    const forBrowsers = files.filter(({ suite }) => suite === 'browser').map(({ path }) => path);
    const forVitest = files.filter(({ suite }) => suite !== 'browser').map(({ path }) => path);
    const isVitestOk =
      forVitest.length === 0 ||
      run('vitest/vitest.mjs', [
        'run',
        '--config=tests/vitest.config.ts',
        ...(testName === null ? [] : [`--testNamePattern=${testName}`]),
        ...options,
        // All of them are no filter, which is faster.
        ...(words.length === 0 ? [] : forVitest),
      ]);
    const isPlaywrightOk =
      forBrowsers.length === 0 ||
      missing.includes('headless-chromium') ||
      run('@playwright/test/cli.js', [
        'test',
        '--config=tests/playwright.config.ts',
        '--pass-with-no-tests',
        ...(testName === null ? [] : [`--grep=${testName}`]),
        // Playwright takes regular expressions.
        ...forBrowsers.map((path) => `${path.replaceAll('.', '\\.')}$`),
      ]);
    if (missing.length > 0) process.stdout.write(`\n${toSkipNotice(missing)}\n`);
    if (!isVitestOk || !isPlaywrightOk) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Of everything that the tests write: a test runner that is ended by a signal, or ends its workers, leaves nothing. */
function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-tests-'));
  // PostgreSQL and nginx run as users of their own.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  // Tests start a hundred processes; each after the first starts in about half the time.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache');
  // Ctrl+C ends the test runner; this process goes on and removes the folder.
  process.on('SIGINT', () => {});
  return folder;
}

type Arguments = Readonly<{
  words: readonly string[];
  options: readonly string[];
  /** A regular expression for the names of tests, as vitest and Playwright take it. */
  testName: string | null;
}>;

function parseArguments(args: readonly string[]): Arguments {
  const words: string[] = [];
  const options: string[] = [];
  let testName: string | null = null;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (argument === '-t' || argument === '--testNamePattern') testName = args[++index] ?? '';
    else if (argument.startsWith('-')) options.push(argument);
    else words.push(argument);
  }
  return { words, options, testName };
}

/** Installs what is missing where that is allowed, and otherwise says how: returns what is still missing. */
function installMissing(programs: readonly Program[]): readonly Program[] {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return [];
  if (mayInstall()) {
    install(missing);
    return [];
  }
  process.stdout.write(`${toSkipNotice(missing)}\n`);
  return missing;
}

function toSkipNotice(missing: readonly Program[]): string {
  return `Skipping tests that need ${missing.join(', ')}. To install:\n  ${toInstallCommand(missing)}`;
}

function run(program: string, args: readonly string[]): boolean {
  const root = `${import.meta.dirname}/..`;
  const node = [`${root}/node_modules/${program}`, ...args];
  return spawnSync(process.execPath, node, { cwd: root, stdio: 'inherit' }).status === 0;
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
