import { expect, test } from 'vitest';
import { toSummary } from '#lib/representations/markdown/safe/plain-text.ts';

test.for([
  ['Two robots, one ring. Bring yours.', 'Two robots, one ring.'],
  ['Finish *one* thing in **ten hours**.\n\nNo prize.', 'Finish one thing in ten hours.'],
  ['# Welcome\n\n- a list\n\nCome [along](https://a.example)! Or not.', 'Come along!'],
  ['日が沈んでから作ります。テーマは合図と同時に発表。', '日が沈んでから作ります。'],
  ['No full stop here', 'No full stop here'],
  ['Line one\nof a sentence.', 'Line one of a sentence.'],
  // Shown as text, as in the description.
  ['<b>Bold</b> plans. More.', '<b>Bold</b> plans.'],
  ['# Only a heading', null],
  ['', null],
  [null, null],
] as const)('of %j the summary is %j', ([markdown, summary]) => {
  expect(toSummary(markdown)).toBe(summary);
});

test('a long sentence is cut between words', () => {
  const summary = toSummary('word '.repeat(100));
  expect(summary).toMatch(/^(word )+word…$/);
  expect(summary?.length).toBeLessThanOrEqual(140);
});
