import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listTestFiles } from '../test-files.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** How many requirements of levels 1 and 2 each section has; they are the first ones of it. */
const sections = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
};

/** Rows of `tests/asvs.md` that are shown by nothing, and tests that show none. */
export function findAsvsProblems(): readonly string[] {
  const rows = [...read('tests/asvs.md').matchAll(/^\| ([\d.–]+) +\| .+? +\| (.+?) +\|$/gm)];
  const marks = findMarks();
  const marked = new Set(marks.flatMap(({ ids }) => ids));
  const tested = rows.filter(([, , shownBy]) => shownBy === 'a test').map(([, ids = '']) => ids);
  return [
    ...findMissingRequirements(rows.flatMap(([, ids = '']) => toRequirements(ids))),
    ...rows
      .filter(([, ids = '', shownBy = '']) => !marked.has(ids) && !isText(shownBy))
      .map(([, ids]) => `tests/asvs.md: ${ids} is shown by no test and no text.`),
    ...marks.flatMap(({ path, ids, isAboveTest }) => [
      ...ids
        .filter((id) => !tested.includes(id))
        .map((id) => `${path}: no row of tests/asvs.md is “${id}” and shown by a test.`),
      ...(isAboveTest ? [] : [`${path}: no test is below “ASVS ${ids.join(', ')}”.`]),
    ]),
  ];
}

/** The comments in test files that name rows of the table. */
function findMarks() {
  return listTestFiles().flatMap(({ path }) =>
    [...read(path).matchAll(/^ *\/\/ ASVS (.+)\n(.*)/gm)].map(([, ids = '', below = '']) => ({
      path,
      ids: ids.split(', '),
      isAboveTest: /^ *(?:test|it|describe)\b/.test(below),
    })),
  );
}

/** Whether it is a reason, or a text and words that are in it, wherever they are wrapped. */
function isText(shownBy: string): boolean {
  if (/^does not apply: \S.{10,}/.test(shownBy)) return true;
  const [, path = '', words = ''] = /^`([\w./-]+)` “(.+)”$/.exec(shownBy) ?? [];
  return (
    words !== '' && existsSync(join(root, path)) && read(path).replace(/\s+/g, ' ').includes(words)
  );
}

function findMissingRequirements(found: readonly string[]): readonly string[] {
  const expected = Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
  );
  const isSame = expected.join() === found.join();
  const missing = expected.filter((id) => !found.includes(id));
  return isSame ? [] : [`tests/asvs.md has not each requirement once, in order: ${missing.join()}`];
}

/** `4.4.1–4.4.4` stands for four. */
function toRequirements(text: string): string[] {
  const [first = '', last = first] = text.split('–');
  const [section, from] = [first.replace(/\.\d+$/, ''), Number(first.split('.')[2])];
  const count = Number(last.split('.')[2]) - from + 1;
  return Array.from({ length: count }, (_, index) => `${section}.${from + index}`);
}
