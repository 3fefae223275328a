import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

export type Result = Readonly<{
  passed: number;
  skipped: number;
  failures: readonly Failure[];
  /** Names of tests that failed first, and passed when they were run again. */
  flaky: readonly string[];
}>;

export type Failure = Readonly<{ file: string; test: string; message: string }>;

export const nothing: Result = { passed: 0, skipped: 0, failures: [], flaky: [] };

type VitestTest = Readonly<{
  status: string;
  fullName: string;
  failureMessages?: readonly string[] | null;
}>;

type VitestFile = Readonly<{
  name: string;
  status: string;
  message?: string;
  assertionResults: readonly VitestTest[];
}>;

type PlaywrightSuite = Readonly<{
  suites?: readonly PlaywrightSuite[];
  specs?: readonly Readonly<{
    file: string;
    title: string;
    tests: readonly Readonly<{
      status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      results: readonly Readonly<{ error?: Readonly<{ message?: string }> }>[];
    }>[];
  }>[];
}>;

const unrun: ReadonlySet<string> = new Set(['skipped', 'pending', 'todo', 'disabled']);

/** @param testName only tests with such a name count as skipped: vitest reports those that `-t` leaves out, too. */
export function readVitestReport(path: string, testName: string | null): Result {
  const { testResults = [] } = readReport<{ testResults?: readonly VitestFile[] }>(path);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const isNamed = ({ fullName }: VitestTest) =>
    testName === null || new RegExp(testName).test(fullName);
  return {
    ...nothing,
    passed: tests.filter(({ status }) => status === 'passed').length,
    skipped: tests.filter((test) => unrun.has(test.status) && isNamed(test)).length,
    failures: testResults.flatMap(toVitestFailures),
  };
}

function toVitestFailures(result: VitestFile): readonly Failure[] {
  const file = relative(process.cwd(), result.name);
  const failed = result.assertionResults.filter(({ status }) => status === 'failed');
  const failures = failed.map(({ fullName, failureMessages }) => {
    return { file, test: fullName, message: failureMessages?.[0] ?? '' };
  });
  // A file that fails while it is loaded, or in a hook, has no failed test.
  const isBroken = result.status === 'failed' && failures.length === 0;
  return isBroken ? [{ file, test: '(the file)', message: result.message ?? '' }] : failures;
}

export function readPlaywrightReport(path: string): Result {
  const specs = listSpecs(readReport<PlaywrightSuite>(path));
  const runs = specs.flatMap(({ file, title, tests }) =>
    tests.map(({ status, results }) => ({ file: `tests/browser/${file}`, title, status, results })),
  );
  const count = (status: string) => runs.filter((run) => run.status === status).length;
  return {
    passed: count('expected') + count('flaky'),
    skipped: count('skipped'),
    failures: runs
      .filter(({ status }) => status === 'unexpected')
      .map(({ file, title, results }) => {
        return { file, test: title, message: results[0]?.error?.message ?? '' };
      }),
    flaky: runs.filter(({ status }) => status === 'flaky').map(({ title }) => title),
  };
}

function listSpecs({
  suites = [],
  specs = [],
}: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> {
  return [...specs, ...suites.flatMap(listSpecs)];
}

function readReport<T extends object>(path: string): Partial<T> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The run ended before it could write one; its exit status is all there is.
    return {};
  }
}
