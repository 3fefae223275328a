import { parseArgs } from 'node:util';
import { requirePrograms } from '../programs.ts';
import { benchLargeTable } from './parts/large-table.ts';
import { benchManyEvents } from './parts/many-events.ts';
import { benchOneClient } from './parts/one-client.ts';
import { benchPageWeights } from './parts/page-weights.ts';
import { benchRefresh } from './parts/refresh.ts';
import { benchStorm } from './parts/storm.ts';
import { benchThroughput } from './parts/throughput.ts';
import { checkoutOptions, openCheckouts } from './servers/checkout.ts';

/**
 * `npm run bench`: what the built server's responses cost. Servers take turns in `--rounds` rounds of
 * `--seconds`; figures are medians of the rounds, ratios medians of the rounds' own ratios.
 *
 * `--part urls|many|weights|storm|fair|refresh|large` runs one part (`large` only so, with `--rows`), `--only TEXT` the rows that contain it.
 * `--root DIR` measures another built checkout; `--against DIR` a second one in the same rounds.
 * `--next` adds `next start` to the first part.
 */
const { values } = parseArgs({
  options: {
    ...checkoutOptions,
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '16' },
    refreshes: { type: 'string', default: '3' },
    rows: { type: 'string', default: '20000' },
    only: { type: 'string', default: '' },
    part: { type: 'string', default: '' },
    next: { type: 'boolean', default: false },
  },
});

const rounds = Number(values.rounds);
const options = {
  rounds,
  only: values.only,
  hasNext: values.next,
  seconds: Number(values.seconds),
  connections: Number(values.connections),
};

requirePrograms(['wrk', 'taskset', 'chromium']);
const checkouts = await openCheckouts(values);
const parts: Readonly<Record<string, () => Promise<void>>> = {
  urls: () => benchThroughput(checkouts, options),
  many: () => benchManyEvents(checkouts, options),
  weights: () => benchPageWeights(checkouts),
  storm: () => benchStorm(checkouts, rounds),
  fair: () => benchOneClient(checkouts, options),
  refresh: () => benchRefresh(checkouts, Number(values.refreshes)),
  large: () => benchLargeTable(checkouts, Number(values.rows)),
};
// It takes minutes.
const chosen = Object.entries(parts).filter(([name]) =>
  values.part === '' ? name !== 'large' : name === values.part,
);
if (chosen.length === 0) throw new Error(`--part is one of ${Object.keys(parts).join(', ')}.`);
for (const [, part] of chosen) await part();
