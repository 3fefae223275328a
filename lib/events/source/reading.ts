/** Raise it where a field means something else, or cells are read in another way. */
export const readerNumber = 11;

type Settings = Readonly<{
  airtable: Readonly<{
    table: string;
    view?: string | null;
    columns?: Readonly<Record<string, string>>;
  }>;
  events: Readonly<{ timeZone: string }>;
}>;

/** Identifies how rows become events. What differs between two reads of other readings is no change of events. */
export function toReading({ airtable, events }: Settings): string {
  const { view = null, columns = {} } = airtable;
  return JSON.stringify([readerNumber, events.timeZone, view, columns]);
}
