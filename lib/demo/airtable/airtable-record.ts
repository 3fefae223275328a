/**
 * One row as the Airtable Web API carries it. Cells are unknown on purpose: a real table holds
 * anything, and a formula that fails holds an object where a text belongs.
 */
export type AirtableRecord = {
  readonly id: string;
  readonly createdTime: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

/**
 * An attachment as the sample table stores it; the server makes the full Airtable object of it,
 * with a freshly signed address, whenever a page is read. `file` is a name in `pictures/`.
 */
export type StoredAttachment = { readonly id: string; readonly file: string };

/** The columns of the events table; asking for another one is an error, as it is upstream. */
export const eventColumns: ReadonlySet<string> = new Set([
  'Name',
  'Description',
  'Requirements',
  'URL',
  'Slack URL',
  'Start Date',
  'End Date',
  'Announced At',
  'Format',
  'In-Person Start',
  'In-Person End',
  'Location',
  'Project Types',
  'Slack Channel',
  'Pinned',
  'Logo',
  'Background Image',
  'Background Type',
  'Background Color',
  'Text Color',
  'Accent Color',
  'Logo Size',
  'Button Color',
  'Button Text Color',
  'Button Border Radius',
  'Button Border Width',
  'Button Border Color',
]);

/** Tells a stored attachment from every other value; one with further keys is served as it is. */
export function isStoredAttachment(value: unknown): value is StoredAttachment {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 2 &&
    'id' in value &&
    typeof value.id === 'string' &&
    'file' in value &&
    typeof value.file === 'string'
  );
}
