import { relative } from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { Progress, writeOutcome } from './progress.ts';

/** Prints how far Playwright is, what takes long and what fails. */
export default class PlaywrightReporter implements Reporter {
  #progress: Progress | null = null;
  #tests: readonly TestCase[] = [];
  #errors = 0;

  onBegin(_: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
    this.#progress = new Progress('Browser tests', `${this.#tests.length} tests`);
  }

  onTestEnd(test: TestCase, { duration, errors, status, retry }: TestResult): void {
    for (const { stack, message, snippet } of errors) {
      process.stdout.write(`\n${toName(test)}\n${stack ?? message}\n${snippet ?? ''}\n`);
    }
    const isLast = status === test.expectedStatus || status === 'skipped' || retry === test.retries;
    if (isLast) this.#progress?.add(toName(test), duration);
  }

  onError({ stack, message }: Readonly<{ stack?: string; message?: string }>): void {
    this.#errors += 1;
    process.stdout.write(`\n${stack ?? message}\n`);
  }

  onEnd(): void {
    const withOutcome = (outcome: ReturnType<TestCase['outcome']>) =>
      this.#tests.filter((test) => test.outcome() === outcome);
    const [failed, flaky] = [withOutcome('unexpected'), withOutcome('flaky')];
    writeOutcome({
      passed: withOutcome('expected').length + flaky.length,
      failed: failed.length + this.#errors,
      skipped: withOutcome('skipped').length,
      failedFiles: [...new Set(failed.map(toPath))],
      flaky: flaky.map(toName),
    });
  }
}

function toPath({ location }: TestCase): string {
  return relative(`${import.meta.dirname}/../..`, location.file);
}

function toName(test: TestCase): string {
  return `${toPath(test)}:${test.location.line} › ${test.title}`;
}
