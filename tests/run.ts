import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { buildIfNeeded } from '#lib/cli/build/build-if-needed.ts';
import {
  install,
  isCi,
  isInstalled,
  mayInstall,
  type Program,
  toInstallCommand,
} from './programs.ts';
import { nothing, type Result, readPlaywrightReport, readVitestReport } from './reports.ts';
import { findRequirements, listTestFiles, selectTestFiles, type TestFile } from './test-files.ts';

/**
 * `npm test`: all tests, or those whose file name contains one of the words given. Builds and installs
 * only what the chosen files need. `-t "name"` and other options go to the test runners.
 */
async function main(): Promise<void> {
  const { words, options, testName } = parseArguments(process.argv.slice(2));
  const files = selectTestFiles(listTestFiles(), words);
  if (files.length === 0) throw new Error(`No test file is named like ${words.join(' or ')}.`);
  const { programs, isBuildNeeded } = findRequirements(files);
  const missing = installMissing(programs);
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  if (isBuildNeeded) await buildIfNeeded();
  const folder = makeTemporaryFolder();
  try {
    const results = [
      runVitest({ files, words, options, testName, report: join(folder, 'vitest.json') }),
      runPlaywright({ files, testName, missing, report: join(folder, 'playwright.json') }),
    ];
    finish(results, missing);
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

/** So many files with failures are run again in CI, by themselves: a busy machine is no reason to fail. */
const rerunFilesMax = 3;

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

function finish(results: readonly Result[], missing: readonly Program[]): void {
  const sum = (key: 'passed' | 'skipped') =>
    results.reduce((total, result) => total + result[key], 0);
  const [passed, skipped] = [sum('passed'), sum('skipped')];
  const failures = results.flatMap((result) => result.failures);
  const flaky = results.flatMap((result) => result.flaky);
  const lines = [
    ...failures.map(({ file, test, message }) => `FAILED ${file}: ${test}\n${toExcerpt(message)}`),
    ...flaky.map((name) => `FLAKY (failed, then passed when run again): ${name}`),
    ...(missing.length > 0 ? [toSkipNotice(missing)] : []),
    ...(passed + failures.length + skipped === 0 ? ['No test has such a name.'] : []),
    ...(isCi() && skipped > 0 ? ['In CI, no test may be skipped.'] : []),
    `${passed} passed, ${failures.length} failed, ${skipped} skipped`,
  ];
  process.stdout.write(`\n${lines.join('\n\n')}\n`);
  const isOk = failures.length === 0 && passed + skipped > 0 && !(isCi() && skipped > 0);
  if (!isOk) process.exitCode = 1;
}

function toExcerpt(message: string): string {
  return stripVTControlCharacters(message).split('\n').slice(0, 20).join('\n');
}

type VitestRun = Readonly<{ files: readonly TestFile[]; report: string }> & Arguments;

function runVitest({ files, words, options, testName, report }: VitestRun): Result {
  const chosen = files.filter(({ suite }) => suite !== 'browser').map(({ path }) => path);
  if (chosen.length === 0) return nothing;
  const runFiles = (paths: readonly string[]): Result => {
    const isOk = run('vitest/vitest.mjs', [
      ...['run', '--config', 'tests/vitest.config.ts', '--reporter=default', '--reporter=json'],
      `--outputFile.json=${report}`,
      ...(testName === null ? [] : ['--testNamePattern', testName]),
      ...options,
      ...paths,
    ]);
    return toResult(isOk, readVitestReport(report, testName));
  };
  const first = runFiles(words.length === 0 ? [] : chosen);
  const failed = [...new Set(first.failures.map(({ file }) => file))].filter((file) =>
    chosen.includes(file),
  );
  if (!isCi() || failed.length === 0 || failed.length > rerunFilesMax) return first;
  process.stdout.write(`\nRunning again, by themselves: ${failed.join(', ')}\n`);
  const again = runFiles(failed);
  if (again.failures.length > 0) return { ...first, failures: again.failures };
  const flaky = first.failures.map(({ file, test }) => `${file}: ${test}`);
  return { ...first, passed: first.passed + flaky.length, failures: [], flaky };
}

type PlaywrightRun = Readonly<{
  files: readonly TestFile[];
  testName: string | null;
  missing: readonly Program[];
  report: string;
}>;

function runPlaywright({ files, testName, missing, report }: PlaywrightRun): Result {
  const chosen = files.filter(({ suite }) => suite === 'browser');
  if (chosen.length === 0) return nothing;
  const isSkipped = missing.includes('headless-chromium');
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = report;
  const isOk = run('@playwright/test/cli.js', [
    ...['test', '--config', 'tests/playwright.config.ts'],
    ...(isSkipped ? ['--list'] : []),
    ...(isCi() ? ['--retries=1'] : []),
    `--reporter=${isSkipped ? 'json' : 'list,json'}`,
    ...(testName === null ? [] : ['--grep', testName]),
    '--pass-with-no-tests',
    // Playwright takes regular expressions.
    ...chosen.map(({ path }) => `${path.replaceAll('.', '\\.')}$`),
  ]);
  const result = readPlaywrightReport(report);
  if (isSkipped) return { ...nothing, skipped: result.passed + result.skipped };
  return toResult(isOk, result);
}

// A run that ended badly without a failed test counts as one failure.
function toResult(isOk: boolean, result: Result): Result {
  if (isOk || result.failures.length > 0) return result;
  const failure = { file: 'the run', test: 'its end', message: 'It failed outside of any test.' };
  return { ...result, failures: [failure] };
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
