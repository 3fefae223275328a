import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#lib/events/model/zoned-time.ts';
import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { cellForms } from '#lib/representations/docs/cell-forms.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

describe.for(Object.entries(cellForms))('%s', ([, forms]) => {
  test.for(forms)('$cells', ({ cells, becomes, reported }) => {
    const record = makeRecord({ 'Start Date': '2027-07-02', ...cells });
    const { draft, problems } = toEvent(record, createTimeZone('UTC'));
    for (const [path, value] of Object.entries(becomes)) {
      expect(draft).toHaveProperty(path.split('.'), value);
    }
    const reports = problems.map(({ column, reason }) => `${column}: ${reason}`);
    expect(reports).toEqual(reported === undefined ? [] : [reported]);
  });
});
