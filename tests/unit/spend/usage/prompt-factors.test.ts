import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createPromptFactors,
  type PromptFactors,
  toExpectedTokens,
  toSentTokens,
} from '#lib/spend/usage/prompt-factors.ts';

const model = 'model';
const factor = fc.double({ min: 0.1, max: 100, noNaN: true });

function learn(factors: PromptFactors, owner: string, given: readonly number[]): void {
  for (const factor of given)
    factors.learn(model, owner, { estimate: 1_000, actual: factor * 1_000 });
}

test('an owner who has not used a model has no factor, whatever others have needed', () => {
  const factors = createPromptFactors();
  expect(factors.factorOf(model, 'ada')).toBeNull();
  learn(factors, 'mallory', [1_000]);
  expect(factors.factorOf(model, 'ada')).toBeNull();
  learn(factors, 'ada', [2]);
  expect(factors.factorOf(model, 'ada')).toBe(2);
  expect(factors.factorOf('other model', 'ada')).toBeNull();
});

test('the highest factor of an owner’s last hundred requests counts', () => {
  fc.assert(
    fc.property(fc.array(factor, { minLength: 1, maxLength: 250 }), (given) => {
      const factors = createPromptFactors();
      learn(factors, 'ada', given);
      expect(factors.factorOf(model, 'ada')).toBeCloseTo(Math.max(1, ...given.slice(-100)), 6);
    }),
  );
});

test('what a server adds to short prompts is not expected of long ones', () => {
  const factors = createPromptFactors();
  for (const estimate of [1, 2, 10]) {
    factors.learn(model, 'ada', { estimate, actual: estimate + 40 });
  }
  expect(factors.factorOf(model, 'ada')).toBe(1);
  factors.learn(model, 'ada', { estimate: 2, actual: 400 });
  expect(factors.factorOf(model, 'ada')).toBe(4);
});

test('the median of all owners counts where it is higher than the owner’s own', () => {
  const factors = createPromptFactors();
  learn(factors, 'ada', [1.5]);
  learn(factors, 'bo', [4]);
  learn(factors, 'cy', [6]);
  expect(factors.factorOf(model, 'ada')).toBe(4);
  expect(factors.factorOf(model, 'bo')).toBe(4);
  expect(factors.factorOf(model, 'cy')).toBe(6);
});

test('one hostile owner raises nobody’s factor above what another owner has needed', () => {
  const owners = fc.array(fc.array(factor, { minLength: 1, maxLength: 10 }), {
    minLength: 1,
    maxLength: 12,
  });
  const hostile = fc.array(fc.double({ min: 100, max: 1e9, noNaN: true }), { maxLength: 150 });
  fc.assert(
    fc.property(owners, hostile, (honest, made) => {
      const factors = createPromptFactors();
      for (const [index, given] of honest.entries()) learn(factors, `owner ${index}`, given);
      learn(factors, 'mallory', made);
      const most = Math.max(1, ...honest.flat());
      for (const index of honest.keys()) {
        expect(factors.factorOf(model, `owner ${index}`)).toBeLessThanOrEqual(most + 1e-6);
      }
    }),
  );
});

test('where all honest owners need the same, a hostile one changes nothing', () => {
  const factors = createPromptFactors();
  for (const owner of ['ada', 'bo']) learn(factors, owner, [1.2]);
  learn(factors, 'mallory', Array(500).fill(1e6));
  expect(factors.factorOf(model, 'ada')).toBe(1.2);
});

test('a factor is finite and at least 1, whatever an upstream reports', () => {
  const number = fc.oneof(fc.double(), fc.constantFrom(0, -1, Infinity, Number.NaN));
  const report = fc.record({ estimate: number, actual: number });
  fc.assert(
    fc.property(fc.array(report), (reports) => {
      const factors = createPromptFactors();
      for (const report of reports) factors.learn(model, 'ada', report);
      const learned = factors.factorOf(model, 'ada') ?? 1;
      expect(learned).toBeGreaterThanOrEqual(1);
      expect(Number.isFinite(learned)).toBe(true);
    }),
  );
});

test('an owner who makes up models loses only their own factors', () => {
  const factors = createPromptFactors();
  learn(factors, 'ada', [2]);
  for (let index = 0; index < 2_000; index += 1) {
    factors.learn(`made up ${index}`, 'mallory', { estimate: 1, actual: 1 });
  }
  expect(factors.factorOf(model, 'ada')).toBe(2);
  expect(factors.factorOf('made up 0', 'mallory')).toBeNull();
});

test('owners who have not been seen for long leave the median', () => {
  const factors = createPromptFactors();
  learn(factors, 'gone', [50]);
  for (let index = 0; index < 1_000; index += 1) learn(factors, `owner ${index}`, [3]);
  expect(factors.factorOf(model, 'gone')).toBeNull();
  expect(factors.factorOf(model, 'owner 0')).toBe(3);
});

test.each([
  ['unknown, as long as any tokenizer makes it', 10_000, null, 320_000, 10_000],
  ['unknown, and short', 2, null, 100, 2],
  ['known', 10_000, 1.5, 15_000, 15_000],
  ['short, to which a server is known to add nothing', 7, 1, 100, 7],
  // 420 tokens of a prompt of 7: the factor is of a hundred.
  ['short, to which a server is known to add much', 7, 4.2, 420, 327],
  ['none', 0, 4.2, 0, 0],
])('a prompt that is %s', (_, estimate, factor, expected, sent) => {
  expect(toExpectedTokens(estimate, factor)).toBeCloseTo(expected, 6);
  expect(toSentTokens(estimate, factor)).toBe(sent);
});
