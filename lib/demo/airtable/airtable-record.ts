/**
 * A row in the format of the Airtable Web API. Cells are `unknown`: tables contain anything, and a
 * failing formula gives an object in place of a text.
 */
export type AirtableRecord = {
  readonly id: string;
  readonly createdTime: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

/**
 * An attachment as the sample table stores it. Each response has the full Airtable object with
 * newly signed URLs. `file` is a name in `pictures/`.
 */
export type StoredAttachment = { readonly id: string; readonly file: string };

/** An object with further keys is not a stored attachment, and is sent unchanged. */
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
