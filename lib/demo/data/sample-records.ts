import type { AirtableRecord } from '../airtable/airtable-record.ts';
import { sketchesComingUp } from './sample-coming-up.ts';
import { sketchesOnNow } from './sample-on-now.ts';
import { sketchesPast } from './sample-past.ts';
import { toRecord } from './sample-sketch.ts';
import { varySketch } from './vary-sketch.ts';

const sketches = [...sketchesOnNow, ...sketchesComingUp, ...sketchesPast];

/**
 * The table of the demo: 48 events around `today` (`YYYY-MM-DD`), the same for the same day, with
 * ids that do not change from day to day. A larger `count` adds variations over ten years, to test
 * a long table; a smaller one returns the first rows.
 */
export function sampleRecords(options: { today: string; count?: number }): AirtableRecord[] {
  const { today, count = sketches.length } = options;
  const records = sketches.slice(0, count).map((sketch) => toRecord(sketch, today));
  for (let index = sketches.length; index < count; index += 1) {
    const sketch = sketches[index % sketches.length];
    if (sketch) records.push(toRecord(varySketch(sketch, index), today, `variation ${index}`));
  }
  return records;
}
