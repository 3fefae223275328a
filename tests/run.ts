import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded } from '#lib/cli/build-if-needed.ts';
import {
  install,
  isCi,
  isInstalled,
  mayInstall,
  type Program,
  toInstallCommand,
} from './programs.ts';
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
  const reports = mkdtempSync(join(tmpdir(), 'marquee-tests-'));
  try {
    const results = [
      runVitest({ files, words, options, testName, report: join(reports, 'vitest.json') }),
      runPlaywright({ files, testName, missing, report: join(reports, 'playwright.json') }),
    ];
    finish(results, missing);
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
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

function finish(results: readonly Result[], missing: readonly Program[]): void {
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    results.reduce((total, result) => total + result[key], 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  if (missing.length > 0) process.stdout.write(`\n${toSkipNotice(missing)}\n`);
  if (passed + failed + skipped === 0) process.stdout.write('\nNo test has such a name.\n');
  if (isCi() && skipped > 0) process.stdout.write('\nIn CI, no test may be skipped.\n');
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  const isOk = failed === 0 && passed + skipped > 0 && !(isCi() && skipped > 0);
  if (!isOk) process.exitCode = 1;
}

type Result = Readonly<{ passed: number; failed: number; skipped: number }>;

const nothing: Result = { passed: 0, failed: 0, skipped: 0 };

type VitestRun = Readonly<{ files: readonly TestFile[]; report: string }> & Arguments;

function runVitest({ files, words, options, testName, report }: VitestRun): Result {
  const chosen = files.filter(({ suite }) => suite !== 'browser');
  if (chosen.length === 0) return nothing;
  const isOk = run('vitest/vitest.mjs', [
    ...['run', '--config', 'tests/vitest.config.ts', '--reporter=default', '--reporter=json'],
    `--outputFile.json=${report}`,
    ...(testName === null ? [] : ['--testNamePattern', testName]),
    ...options,
    ...(words.length === 0 ? [] : chosen.map(({ path }) => path)),
  ]);
  const { testResults = [] } = readReport(report);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  // A file that fails while it is loaded has no tests.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  // vitest reports tests that `-t` leaves out as skipped, too.
  const isNamed = ({ fullName }: VitestTest) =>
    testName === null || new RegExp(testName).test(fullName);
  const skipped = tests.filter((test) => unrun.has(test.status) && isNamed(test)).length;
  return toResult(isOk, { passed: count('passed'), failed: count('failed') + broken, skipped });
}

const unrun: ReadonlySet<string> = new Set(['skipped', 'pending', 'todo', 'disabled']);

type PlaywrightRun = Readonly<{
  files: readonly TestFile[];
  testName: string | null;
  missing: readonly Program[];
  report: string;
}>;

function runPlaywright({ files, testName, missing, report }: PlaywrightRun): Result {
  const chosen = files.filter(({ suite }) => suite === 'browser');
  if (chosen.length === 0) return nothing;
  const isSkipped = missing.includes('chromium');
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = report;
  const isOk = run('@playwright/test/cli.js', [
    ...['test', '--config', 'tests/playwright.config.ts'],
    ...(isSkipped ? ['--list'] : []),
    `--reporter=${isSkipped ? 'json' : 'list,json'}`,
    ...(testName === null ? [] : ['--grep', testName]),
    '--pass-with-no-tests',
    // Playwright takes regular expressions.
    ...chosen.map(({ path }) => `${path.replaceAll('.', '\\.')}$`),
  ]);
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = readReport(report).stats ?? {};
  if (isSkipped) return { ...nothing, skipped: expected + flaky + unexpected + skipped };
  return toResult(isOk, { passed: expected + flaky, failed: unexpected, skipped });
}

// A run that ended badly without a failed test, in a hook say, counts as one failure.
function toResult(isOk: boolean, result: Result): Result {
  return isOk || result.failed > 0 ? result : { ...result, failed: 1 };
}

function run(program: string, args: readonly string[]): boolean {
  const root = `${import.meta.dirname}/..`;
  const node = [`${root}/node_modules/${program}`, ...args];
  return spawnSync(process.execPath, node, { cwd: root, stdio: 'inherit' }).status === 0;
}

type VitestTest = Readonly<{ status: string; fullName: string }>;

type Report = Readonly<{
  testResults?: readonly Readonly<{ status: string; assertionResults: readonly VitestTest[] }>[];
  stats?: Readonly<{ expected?: number; flaky?: number; unexpected?: number; skipped?: number }>;
}>;

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The run ended before it could write one; its exit status is all there is.
    return {};
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
