import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded } from '#lib/cli/build/build-if-needed.ts';
import { install, isInstalled, mayInstall, type Program, toInstallCommand } from './programs.ts';
import { type Outcome, readOutcome } from './progress/progress.ts';
import { findRequirements, listTestFiles, selectTestFiles } from './test-files.ts';

/**
 * `npm test`: all tests but the long ones, or those whose path contains one of the words given. Builds and installs
 * only what the chosen files need. `-t "name"` goes to both test runners, other options to vitest.
 */
async function main(): Promise<void> {
  const startedAt = Date.now();
  const { words, options, testName } = parseArguments(process.argv.slice(2));
  const files = selectTestFiles(listTestFiles(), words);
  if (files.length === 0) throw new Error(`No test file is named like ${words.join(' or ')}.`);
  const { programs, isBuildNeeded } = findRequirements(files);
  const missing = installMissing(programs);
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  // Midnight would change the status of events: in the last hours of a day they take place elsewhere.
  process.env.MARQUEE_TEST_ZONE ??= new Date().getUTCHours() >= 22 ? 'Etc/GMT+6' : 'UTC';
  process.env.MARQUEE_SEED ??= String(Date.now() % 1_000_000);
  if (isBuildNeeded) await buildIfNeeded();
  const folder = makeTemporaryFolder();
  try {
    const forBrowsers = files.filter(({ suite }) => suite === 'browser').map(({ path }) => path);
    const forVitest = files.filter(({ suite }) => suite !== 'browser').map(({ path }) => path);
    const outcomes: Outcome[] = [];
    if (forVitest.length > 0) {
      const names = testName === null ? [] : [`--testNamePattern=${testName}`];
      const paths = [
        '--config=tests/vitest.config.ts',
        '--reporter=tests/progress/vitest-reporter.ts',
      ];
      outcomes.push(
        run('vitest/vitest.mjs', ['run', ...paths, ...names, ...options, ...forVitest]),
      );
    }
    if (forBrowsers.length > 0 && !missing.includes('headless-chromium')) {
      const names = testName === null ? [] : [`--grep=${testName}`, '--pass-with-no-tests'];
      // Playwright takes regular expressions.
      const patterns = forBrowsers.map((path) => `/${path.replaceAll('.', '\\.')}$`);
      const config = '--config=tests/playwright.config.ts';
      outcomes.push(run('@playwright/test/cli.js', ['test', config, ...names, ...patterns]));
    }
    printSummary(outcomes, startedAt);
    if (outcomes.some(({ failed }) => failed > 0)) process.exitCode = 1;
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
  process.stdout.write(
    `Skipping tests that need ${missing.join(', ')}. To install:\n  ${toInstallCommand(missing)}\n\n`,
  );
  return missing;
}

function run(program: string, args: readonly string[]): Outcome {
  const root = `${import.meta.dirname}/..`;
  const node = [`${root}/node_modules/${program}`, ...args];
  const path = join(tmpdir(), 'outcome.json');
  const env = { ...process.env, MARQUEE_TEST_OUTCOME: path };
  const { status } = spawnSync(process.execPath, node, { cwd: root, stdio: 'inherit', env });
  const outcome = readOutcome(path);
  rmSync(path, { force: true });
  // A runner can fail beside its tests, too.
  return { ...outcome, failed: status === 0 ? outcome.failed : Math.max(1, outcome.failed) };
}

function printSummary(outcomes: readonly Outcome[], startedAt: number): void {
  const sum = (name: 'passed' | 'failed' | 'skipped') =>
    outcomes.reduce((total, outcome) => total + outcome[name], 0);
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
  const flaky = outcomes.flatMap((outcome) => outcome.flaky);
  if (flaky.length > 0) process.stdout.write(`\nPassed only when repeated:\n${flaky.join('\n')}\n`);
  process.stdout.write(
    `\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped in ${minutes} minutes\n`,
  );
  const failed = outcomes.flatMap(({ failedFiles }) => failedFiles);
  if (failed.length === 0) return;
  process.stdout.write(
    `Again: MARQUEE_SEED=${process.env.MARQUEE_SEED} npm test -- ${failed.join(' ')}\n`,
  );
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
