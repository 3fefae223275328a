import type { EventDraft, Picture, SignedUrlsById } from '../model/schema.ts';
import type { RowProblem } from './airtable/record-report.ts';

/** Where the loader reads events from. */
export type EventsSource = Readonly<{
  /**
   * Reads all events as of one moment.
   * @param ageMaxMs how old a read that is shared may be; by default as long as instances share one.
   * @throws HttpError `upstream_error` if they could not be read, `server_misconfigured` if credentials are missing.
   */
  read: (ageMaxMs?: number) => Promise<EventsRead>;
}>;

/** What was done about a problem and why, for the operator: `repaired: not a color`. */
export function describeProblem({ done, reason }: Pick<RowProblem, 'done' | 'reason'>): string {
  if (reason === 'no_end_date') {
    return 'taken as the hours of every day: fill in End Date if the event ends';
  }
  return `${done}: ${reason.replaceAll('_', ' ')}`;
}

export type EventsRead = Readonly<{
  drafts: readonly EventDraft[];
  /** Of the table, those that were left out included; absent if another instance read it. */
  rows?: number;
  signedUrls: SignedUrlsById;
  /** How many rows were left out and cells repaired, by reason. */
  repairs: Readonly<Record<string, number>>;
  /** The first few hundred of these; absent if another instance read the table. */
  problems?: readonly RowProblem[];
  /** Picture data of the reading instance, by attachment id; absent if this instance looks it up. */
  pictures?: ReadonlyMap<string, Picture>;
  /** When another instance read them, Unix ms; absent if they have just been read. */
  readAtMs?: number;
}>;
