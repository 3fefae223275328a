import type { SerializedError } from 'vitest';
import { MinimalReporter, type TestModule, type TestSpecification } from 'vitest/node';
import { Progress, writeOutcome } from './progress.ts';

/** Prints how far vitest is, what takes long and what fails. */
export default class VitestReporter extends MinimalReporter {
  #progress: Progress | null = null;

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#progress = new Progress('Unit and API tests', `${specifications.length} files`);
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    this.#progress?.add(toPath(module), module.diagnostic().duration);
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: 'passed' | 'interrupted' | 'failed',
  ): void {
    super.onTestRunEnd(modules, unhandledErrors, reason);
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const errors = modules.reduce((sum, module) => sum + module.errors().length, 0);
    writeOutcome({
      passed: count('passed'),
      failed: count('failed') + errors + unhandledErrors.length,
      skipped: count('skipped'),
      failedFiles: modules.filter((module) => !module.ok()).map(toPath),
      flaky: tests
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${toPath(test.module)} › ${test.fullName}`),
    });
  }

  /** `npm test` prints one summary of everything. */
  override reportTestSummary(): void {}
}

function toPath(module: TestModule): string {
  return module.relativeModuleId;
}
