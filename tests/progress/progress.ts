import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** What came of a part of the tests. */
export type Outcome = Readonly<{
  passed: number;
  failed: number;
  skipped: number;
  /** Relative to the root of the repository. */
  failedFiles: readonly string[];
  /** Tests that passed at their second try. */
  flaky: readonly string[];
}>;

const lineEveryMs = 10_000;
const slowMs = 10_000;

/** Prints how far a part of the tests is, at most every ten seconds, and each thing that took long. */
export class Progress {
  readonly #part: string;
  readonly #total: number;
  #done = 0;
  #printedAt = Date.now();

  /** @param total - such as “200 tests” */
  constructor(part: string, total: string) {
    this.#part = part;
    this.#total = Number.parseInt(total, 10);
    process.stdout.write(`${part}: ${total}\n`);
  }

  add(name: string, durationMs: number): void {
    this.#done += 1;
    if (durationMs >= slowMs) {
      process.stdout.write(`  ${Math.round(durationMs / 1000)} s: ${name}\n`);
    }
    if (Date.now() - this.#printedAt < lineEveryMs) return;
    this.#printedAt = Date.now();
    process.stdout.write(`${this.#part}: ${this.#done} of ${this.#total}\n`);
  }
}

/** Hands the outcome to `npm test`, whose process is another one. */
export function writeOutcome(outcome: Outcome): void {
  const path = process.env.MARQUEE_TEST_OUTCOME;
  if (path !== undefined) writeFileSync(path, JSON.stringify(outcome));
}

/** Nothing if the test runner ended before it had an outcome. */
export function readOutcome(path: string): Outcome {
  if (!existsSync(path)) return { passed: 0, failed: 0, skipped: 0, failedFiles: [], flaky: [] };
  return JSON.parse(readFileSync(path, 'utf8'));
}
