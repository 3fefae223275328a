import { setTimeout as delay } from 'node:timers/promises';
import { toHttpError } from '#lib/http/errors/errors.ts';
import { type Log, silentLog } from '#lib/http/log.ts';
import { createResponse } from '#lib/http/response.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';

/** Something that this instance needs, or works worse without. */
export type Check = Readonly<{
  name: string;
  /** Whether requests fail without it; otherwise its failure is a warning. */
  isRequired: boolean;
  /** Whether it costs so little that it runs by itself; others run when they are asked for. */
  isCheap: boolean;
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

/** What a check has found; `isOk` is false if it has failed. */
type Finding = Readonly<{ isOk: boolean; isFatal: boolean; problem: Problem }>;

type HealthTimes = Readonly<{ everyMs: number; freshMs: number; patienceMs: number }>;

/** A probe of Kubernetes has a second. Anybody may ask: no check runs more often than once in `freshMs`. */
const defaultTimes: HealthTimes = { everyMs: 5_000, freshMs: 1_000, patienceMs: 400 };

/** Responds at once whatever hangs: by what the checks have found that run beside. */
export class Health {
  readonly #checks: readonly RunningCheck[];
  readonly #times: HealthTimes;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    checks: readonly Check[],
    { log = silentLog, ...times }: Partial<HealthTimes & Readonly<{ log: Log }>> = {},
  ) {
    this.#times = { ...defaultTimes, ...times };
    this.#checks = checks.map((check) => new RunningCheck(check, log));
  }

  /** Runs the cheap checks by itself. */
  start(): void {
    const run = () => this.#listCheap().map((check) => check.refresh(0));
    this.#timer ??= setInterval(run, this.#times.everyMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async readReadiness(isDraining: boolean): Promise<Readiness> {
    const findings = await this.#read(this.#checks);
    const toProblems = (isFatal: boolean): Problem[] =>
      findings.flatMap((finding) => (finding?.isFatal === isFatal ? [finding.problem] : []));
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

  /** Which of the cheap checks work. */
  async readCheap(): Promise<ReadonlyMap<string, boolean>> {
    const checks = this.#listCheap();
    const findings = await this.#read(checks);
    return new Map(checks.map(({ name }, index) => [name, findings[index]?.isOk ?? true]));
  }

  #listCheap(): RunningCheck[] {
    return this.#checks.filter(({ isCheap }) => isCheap);
  }

  #read(checks: readonly RunningCheck[]): Promise<(Finding | null)[]> {
    const { freshMs, patienceMs } = this.#times;
    return Promise.all(
      checks.map(async (check) => {
        await Promise.race([check.refresh(freshMs), delay(patienceMs, null, { ref: false })]);
        return check.read();
      }),
    );
  }
}

/** One run at a time: what hangs takes one connection. */
class RunningCheck {
  readonly name: string;
  readonly isCheap: boolean;
  readonly #check: Check;
  readonly #log: Log;
  #hasFailed = false;
  #finding: Finding | null;
  #endedAt = Number.NEGATIVE_INFINITY;
  #startedAt = 0;
  #running: Promise<void> | null = null;

  constructor(check: Check, log: Log) {
    this.name = check.name;
    this.isCheap = check.isCheap;
    this.#check = check;
    this.#log = log;
    this.#finding = this.#toFailure('It has not responded yet.');
  }

  /** Joins the run under way, or starts one if what is known is older. */
  refresh(ageMs: number): Promise<void> {
    if (this.#running === null && performance.now() - this.#endedAt >= ageMs) {
      this.#startedAt = performance.now();
      this.#running = this.#run().finally(() => {
        this.#endedAt = performance.now();
        this.#running = null;
      });
    }
    return this.#running ?? Promise.resolve();
  }

  /** What the last run has found, or that the one under way takes too long; null if all is well. */
  read(): Finding | null {
    const isLate = this.#running !== null && performance.now() - this.#startedAt >= lateMs;
    if (!isLate) return this.#finding;
    const reason = this.#check.findProblem?.() ?? 'It did not respond within two seconds.';
    return this.#toFailure(reason);
  }

  async #run(): Promise<void> {
    try {
      await this.#check.run();
      const reason = this.#check.findProblem?.() ?? null;
      this.#finding =
        reason === null
          ? null
          : { isOk: true, isFatal: false, problem: { check: this.name, reason } };
      if (this.#hasFailed) this.#log.info({ check: this.name }, 'a check works again');
      this.#hasFailed = false;
    } catch (error) {
      const reason = describeFailure(error);
      if (!this.#hasFailed) this.#log.warn({ check: this.name, reason }, 'a check has failed');
      this.#hasFailed = true;
      this.#finding = this.#toFailure(reason);
    }
  }

  #toFailure(reason: string): Finding {
    return { isOk: false, isFatal: this.#check.isRequired, problem: { check: this.name, reason } };
  }
}

const lateMs = 2_000;

// Storage and configuration errors are written for operators; others may quote anything.
function describeFailure(error: unknown): string {
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
