import { formatCount } from '#lib/events/words/format-count.ts';

/** Something that is wrong now, and what an admin or the operator can do about it. */
export type SiteProblem = Readonly<{
  what: string;
  advice: string;
  /** The page that shows more; null: there is none. */
  href: string | null;
}>;

/** What is known of one part of the site. */
export type PartState = Readonly<{
  name: string;
  problems: readonly SiteProblem[];
  /** Why this is not known; null: it is. */
  unknown: string | null;
}>;

/** What a part throws that cannot say anything. */
export class UnknownState extends Error {
  override readonly name = 'UnknownState';
}

/** At most so many problems of one kind are named. */
const namedMax = 5;

/** The first of many, and how many more there are. */
export function listFirst(names: readonly string[]): string {
  const more = names.length - namedMax;
  return [...names.slice(0, namedMax), ...(more > 0 ? [`and ${formatCount(more)} more`] : [])].join(
    ', ',
  );
}

/** To the minute, in UTC. */
export function toMinuteText(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
