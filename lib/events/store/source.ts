import type { EventDraft, SignedUrlsById } from '../model/schema.ts';

/** Where events come from, as the loader sees it. */
export type EventsSource = Readonly<{
  /**
   * Reads all events as of one moment.
   * @throws HttpError `upstream_error` where they could not be read, `server_misconfigured` where credentials are missing.
   */
  read: () => Promise<EventsRead>;
}>;

export type EventsRead = Readonly<{
  drafts: readonly EventDraft[];
  signedUrls: SignedUrlsById;
  /** How many rows and cells were left out or mended, by reason. */
  repairs: Readonly<Record<string, number>>;
  /** When another instance read them, Unix ms; left out, they have just been read. */
  readAtMs?: number;
}>;
