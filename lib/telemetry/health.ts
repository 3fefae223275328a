import { toHttpError } from '#lib/http/errors/errors.ts';
import { createResponse } from '#lib/http/response.ts';
import { TimeoutError, withTimeout } from '#lib/http/with-timeout.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';

/** Something that this instance needs, or works worse without. */
export type Check = Readonly<{
  name: string;
  /** Whether requests fail without it; otherwise its failure is a warning. */
  isRequired: boolean;
  /** @throws if it does not work. */
  run: () => Promise<unknown>;
  /** What is wrong although it works, and the reason if it does not respond; null if nothing is known. */
  findProblem?: () => string | null;
}>;

type Problem = Readonly<{ check: string; reason: string }>;

/** Whether this instance should get requests, and what is wrong with it. */
export type Readiness = Readonly<{
  status: 'ready' | 'not ready';
  reasons: readonly Problem[];
  warnings: readonly Problem[];
}>;

const timeoutMs = 2_000;

/** Runs all checks at once; each has two seconds. Reasons are in our own words and contain no secrets. */
export async function checkReadiness(
  checks: readonly Check[],
  isDraining: boolean,
): Promise<Readiness> {
  const problems = await runChecks(checks);
  const toProblems = (isFatal: boolean): Problem[] =>
    problems.filter((problem) => problem.isFatal === isFatal).map((problem) => problem.problem);
  const reasons = [
    ...(isDraining ? [{ check: 'server', reason: 'It is shutting down.' }] : []),
    ...toProblems(true),
  ];
  return {
    status: reasons.length === 0 ? 'ready' : 'not ready',
    reasons,
    warnings: toProblems(false),
  };
}

/** Runs all checks at once; returns those that failed, or work with a problem. */
export async function runChecks(checks: readonly Check[]) {
  const results = await Promise.all(checks.map(runCheck));
  return results.filter((result) => result !== null);
}

async function runCheck({ name, isRequired, run, findProblem = () => null }: Check) {
  try {
    await withTimeout(run(), timeoutMs);
    const reason = findProblem();
    return reason === null
      ? null
      : { isOk: true, isFatal: false, problem: { check: name, reason } };
  } catch (error) {
    const reason = (error instanceof TimeoutError ? findProblem() : null) ?? describeFailure(error);
    return { isOk: false, isFatal: isRequired, problem: { check: name, reason } };
  }
}

// Storage and configuration errors are written for operators; others may quote anything.
function describeFailure(error: unknown): string {
  if (error instanceof TimeoutError) return 'It did not respond within two seconds.';
  if (isStorageError(error)) return error.message;
  return toHttpError(error).reason ?? 'It failed.';
}

/** Responds that the process works. It leaves out what a restart would not fix. */
export function respondAlive(): Response {
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-store'],
    ],
    body: '{"status":"ok"}\n',
  });
}
