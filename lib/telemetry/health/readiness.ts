import { toHttpError } from '#lib/http/errors/errors.ts';
import { TimeoutError, withTimeout } from '#lib/http/timing/with-timeout.ts';
import { isSharedStateError } from '#lib/redis/redis.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';

/** Something that this instance needs, or works worse without. */
export type Check = Readonly<{
  name: string;
  /** Whether requests fail without it; otherwise its failure is a warning. */
  isRequired: boolean;
  /** @throws if it does not work. */
  run: () => Promise<unknown>;
}>;

export type Problem = Readonly<{ check: string; reason: string }>;

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
  const failed = await runChecks(checks);
  const toProblems = (isRequired: boolean): Problem[] =>
    failed.filter((one) => one.isRequired === isRequired).map((one) => one.problem);
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

/** Runs all checks at once; returns those that failed. */
export async function runChecks(checks: readonly Check[]) {
  const results = await Promise.all(checks.map(runCheck));
  return results.filter((result) => result !== null);
}

async function runCheck({ name, isRequired, run }: Check) {
  try {
    await withTimeout(run(), timeoutMs);
    return null;
  } catch (error) {
    return { isRequired, problem: { check: name, reason: toReason(error) } };
  }
}

// Storage and configuration errors are written for operators; others may quote anything.
function toReason(error: unknown): string {
  if (error instanceof TimeoutError) return 'It did not respond within two seconds.';
  if (isStorageError(error) || isSharedStateError(error)) return error.message;
  return toHttpError(error).reason ?? 'It failed.';
}
