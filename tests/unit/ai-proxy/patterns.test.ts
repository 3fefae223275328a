import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toResponseFailure } from '#lib/ai-proxy/upstreams/errors/upstream-error.ts';
import { measureCpuMicros } from '../../support/measure-growth.ts';

const root = `${import.meta.dirname}/../../../lib/ai-proxy`;

/** All that are written in the proxy’s source. */
function readWrittenPatterns(): RegExp[] {
  const found: RegExp[] = [];
  for (const file of globSync('**/*.ts', { cwd: root })) {
    const text = readFileSync(`${root}/${file}`, 'utf8');
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
        found.push(new RegExp(source, flags));
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  }
  return found;
}

/** Those that an error of an upstream meets, with the ones that are put together of several texts. */
function readErrorPatterns(): RegExp[] {
  const met = new Set<RegExp>();
  const { exec } = RegExp.prototype;
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (
    this: RegExp,
    text: string,
  ) {
    met.add(this);
    return exec.call(this, text);
  });
  onTestFinished(() => spy.mockRestore());
  for (const status of [400, 402, 403, 404, 413, 422, 429, 500]) {
    const body = { error: { message: 'Something is wrong.', param: 'max_tokens' } };
    toResponseFailure({ status, body, retryAfterMs: null, sent: '{}' });
  }
  spy.mockRestore();
  return [...met];
}

/** What a pattern matches piece by piece: of each group its first alternative, of each class one character. */
function toPieces(source: string): string[][] {
  let plain = source
    .replace(/\\[bB]|(?<!\\)[\^$](?![^[]*\])|\(\?<?[=!][^()]*\)/g, '')
    .replace(/\[(?:\\.|[^\]\\])+\]/g, (set) => toSample(set.slice(1, -1)))
    // Brackets that are meant as such are put back once groups are resolved.
    .replace(/\\([(){}|[\]])/g, (_, bracket) =>
      String.fromCharCode(hidden + bracket.charCodeAt(0)),
    );
  const group = /\((?:\?:|\?<\w+>)?([^()|]*)(?:\|[^()]*)?\)/;
  while (group.test(plain)) plain = plain.replace(group, '$1');
  return plain.split('|').map((variant) => {
    const pieces: string[] = [];
    let piece = '';
    for (const token of variant.match(/\\.|\{[\d,]+\}\??|[*+?]+|./gs) ?? []) {
      const isQuantifier = /^[*+?]+$|^\{.+\}\??$/.test(token);
      if (isQuantifier) {
        pieces.push(piece.slice(0, -1), piece.slice(-1));
        piece = '';
      } else {
        piece += toSample(token);
      }
    }
    return [...pieces, piece].filter((part) => part !== '').map(toShown);
  });
}

/** Of private characters. */
const hidden = 0xe000;

function toShown(text: string): string {
  return text.replace(/[\ue000-\ue0ff]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) - hidden),
  );
}

function toSample(set: string): string {
  if (set.startsWith('^')) return 'x';
  if (set.startsWith('\\w') || set === '.' || set === '\\S') return 'a';
  if (set.startsWith('\\d')) return '1';
  if (/^\\[sSDW]/.test(set)) return ' ';
  return set.replace(/^\\/, '').charAt(0);
}

/** Texts of some length in which a pattern finds its own words over and over. */
function* toTexts(source: string, length: number): Generator<string> {
  for (const pieces of toPieces(source)) {
    for (let from = 0; from < pieces.length; from++) {
      const before = pieces.slice(0, from).join('');
      for (let to = from + 1; to <= Math.min(pieces.length, from + 6); to++) {
        const repeated = pieces.slice(from, to).join('');
        for (const between of ['', ' ', '1']) {
          yield (before + (repeated + between).repeat(length)).slice(0, length);
        }
      }
    }
  }
}

function run(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  text.match(pattern);
}

/** The longest that it takes at any of its texts, in µs, and which text that is. */
function findWorst(pattern: RegExp, length: number) {
  let worst = { at: 0, us: 0 };
  let at = 0;
  for (const text of toTexts(pattern.source, length)) {
    const times = [0, 0, 0].map(() => {
      const start = performance.now();
      run(pattern, text);
      return performance.now() - start;
    });
    const us = Math.min(...times) * 1000;
    if (us > worst.us) worst = { at, us };
    at++;
  }
  return worst;
}

/** CPU time at 2,000 characters ÷ that at 1,000. */
function measureGrowth(pattern: RegExp, { at, us }: Readonly<{ at: number; us: number }>): number {
  const times = Math.ceil((measuredMs * 1000) / us);
  const [long = 0, short = 0] = [2000, 1000].map((length) => {
    const text = [...toTexts(pattern.source, length)][at] ?? '';
    return measureCpuMicros(() => {
      for (let time = 0; time < times; time++) run(pattern, text);
    });
  });
  return long / short;
}

/** Anything below it is of no use to an attacker: an error meets some three hundred patterns. */
const harmlessUs = 20;
const measuredMs = 30;
const growthMax = 3;

test('no pattern of the proxy takes more than three times as long for a text of twice the length', () => {
  const patterns = new Map(
    [...readErrorPatterns(), ...readWrittenPatterns()].map((pattern) => [String(pattern), pattern]),
  );
  expect(patterns.size).toBeGreaterThan(300);
  const slow = [...patterns.values()].filter((pattern) => {
    const worst = findWorst(pattern, 2000);
    // Measured again, since the machine may have been busy.
    const isSlow = () => measureGrowth(pattern, worst) > growthMax;
    return worst.us > harmlessUs && isSlow() && isSlow() && isSlow();
  });
  expect(slow.map(String)).toEqual([]);
});
