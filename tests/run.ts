import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded } from '#lib/cli/build-if-needed.ts';
import { requirePrograms } from './programs.ts';

/**
 * `npm test`: builds once, then runs unit and API tests, then those in a browser. Arguments go to
 * vitest: `npm test -- negotiation` runs the files whose names hold that word, and no browser.
 */
async function main(): Promise<void> {
  requirePrograms(['chromium', 'pg_createcluster', 'redis-server']);
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  await buildIfNeeded();
  const given = process.argv.slice(2);
  const reports = mkdtempSync(join(tmpdir(), 'marquee-tests-'));
  try {
    const results = [runVitest(given, join(reports, 'vitest.json'))];
    if (given.length === 0) results.push(runPlaywright(join(reports, 'playwright.json')));
    const passed = results.reduce((sum, result) => sum + result.passed, 0);
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
    if (failed > 0 || results.some(({ ok }) => !ok)) process.exitCode = 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

type Result = Readonly<{ ok: boolean; passed: number; failed: number }>;

function runVitest(given: readonly string[], report: string): Result {
  const ok = run('vitest/vitest.mjs', [
    ...['run', '--config', 'tests/vitest.config.ts', '--reporter=default', '--reporter=json'],
    ...[`--outputFile.json=${report}`, ...given],
  ]);
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readReport(report);
  // A file that fails as it is loaded has no tests that could.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  return toResult(ok, numPassedTests, numFailedTests + broken);
}

function runPlaywright(report: string): Result {
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = report;
  const ok = run('@playwright/test/cli.js', [
    ...['test', '--config', 'tests/playwright.config.ts', '--reporter=list,json'],
  ]);
  const { expected = 0, flaky = 0, unexpected = 0 } = readReport(report).stats ?? {};
  return toResult(ok, expected + flaky, unexpected);
}

// A run that ended badly without a failed test, in a hook say, counts as one.
function toResult(ok: boolean, passed: number, failed: number): Result {
  return { ok, passed, failed: ok ? failed : Math.max(failed, 1) };
}

function run(program: string, given: readonly string[]): boolean {
  const root = `${import.meta.dirname}/..`;
  const node = [`${root}/node_modules/${program}`, ...given];
  return spawnSync(process.execPath, node, { cwd: root, stdio: 'inherit' }).status === 0;
}

type Report = Readonly<{
  numPassedTests?: number;
  numFailedTests?: number;
  testResults?: readonly Readonly<{ status: string; assertionResults: readonly unknown[] }>[];
  stats?: Readonly<{ expected?: number; flaky?: number; unexpected?: number }>;
}>;

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // It ended before it could write one; its status says so.
    return {};
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
