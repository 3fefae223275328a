import { describe, expect, test } from 'vitest';
import { cellForms } from '#lib/representations/docs/cell-forms.ts';
import { convertRow } from '../../../support/airtable/convert-row.ts';

describe.for(Object.entries(cellForms))('%s', ([, forms]) => {
  test.for(forms)('$cells', ({ cells, becomes, reported }) => {
    const { reasons, ...draft } = convertRow({ 'Start Date': '2027-07-02', ...cells });
    for (const [path, value] of Object.entries(becomes)) {
      expect(draft).toHaveProperty(path.split('.'), value);
    }
    expect(reasons).toEqual(reported === undefined ? [] : [reported]);
  });
});
