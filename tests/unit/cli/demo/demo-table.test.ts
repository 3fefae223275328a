import { expect, test } from 'vitest';
import { readEventCount } from '#lib/cli/demo/demo-servers.ts';

test('--events is the number of events; without it the demo has its samples', () => {
  expect(readEventCount(['--events', '10000'], 'demo')).toBe(10_000);
  expect(readEventCount([], 'demo')).toBeUndefined();
});

test.for([
  [['--events', '47'], '--events is "47", but must be a number from 48 to 100000.'],
  [['--events', '100001'], '--events is "100001", but must be a number from 48 to 100000.'],
  [['--events', 'many'], '--events is "many", but must be a number from 48 to 100000.'],
  [['10000'], 'Usage: npm run demo -- [--events 10000]'],
  [['--evnts', '50'], "Unknown option '--evnts'. Usage: npm run demo -- [--events 10000]"],
] as const)('%j is rejected in one line', ([args, line]) => {
  expect(() => readEventCount(args, 'demo')).toThrow(new Error(line));
});
