import { describe, expect, test } from 'vitest';
import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { cellForms } from '#lib/representations/docs/cell-forms.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

describe.for(Object.entries(cellForms))('%s', ([, forms]) => {
  test.for(forms)('$cells', ({ cells, becomes, reported }) => {
    const record = makeRecord({ 'Start Date': '2027-07-02', ...cells });
    const { draft, problems } = toEvent(record, 'UTC');
    for (const [path, value] of Object.entries(becomes)) {
      expect(draft).toHaveProperty(path.split('.'), value);
    }
    const reports = problems.map(({ column, reason }) => `${column}: ${reason}`);
    expect(reports).toEqual(reported === undefined ? [] : [reported]);
  });
});
