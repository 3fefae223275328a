import type { z } from 'zod';

/**
 * Where a field is shown, besides the JSON API. `posters`: sent with every list of posters. `calendar`: raises SEQUENCE
 * when it changes. `feedText`: in the text of feeds and calendars. `feedJson`: in JSON Feed, if it is known. `changes`:
 * with its values in the list of changes. `notable`: the event's page says that it has changed. `facts`: in its facts on
 * one line. `terms`: in the few words on posters, rows and tickets about what it takes to come. `moves`: who was told otherwise gets a mail at once. `search`: found by `q`.
 */
export type Place =
  | 'posters'
  | 'calendar'
  | 'feedText'
  | 'feedJson'
  | 'changes'
  | 'notable'
  | 'facts'
  | 'terms'
  | 'moves'
  | 'search';

export type Field = Readonly<{
  schema: z.ZodType;
  shownIn: readonly Place[];
  /** Columns of the events table, and what they hold, as Markdown. */
  columns?: Readonly<Record<string, string>>;
  /** A table has no events without these columns. */
  isRequired?: true;
}>;

/** A field of one optional cell that is shown as it is: among the facts of a page and in Markdown, by its label. */
export type DetailField = Field &
  Readonly<{
    column: string;
    holds: string;
    /** How its cell is read. */
    read: 'line' | 'count';
    label: string;
    /** In the documentation. */
    example: string | number;
  }>;
