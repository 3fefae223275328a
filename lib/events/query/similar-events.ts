import type { EventStatus, MarqueeEvent } from '../model/schema.ts';

const ranks: Readonly<Record<EventStatus, number>> = { ongoing: 0, upcoming: 0, ended: 1 };

/** Kinds of project in common tell more than a way of meeting. */
const typeScore = 2;

/**
 * Events like another one: with kinds of project in common, and held in the same way. Those that one
 * can still go to come first, then the likest, then the one that starts next.
 */
export function findSimilar(
  event: MarqueeEvent,
  events: readonly MarqueeEvent[],
  countMax: number,
): MarqueeEvent[] {
  return events
    .filter((other) => other.id !== event.id)
    .map((other) => ({ other, score: toScore(event, other) }))
    .filter(({ score }) => score >= typeScore)
    .sort(
      (a, b) =>
        ranks[a.other.status] - ranks[b.other.status] ||
        b.score - a.score ||
        compareStart(a.other, b.other),
    )
    .slice(0, countMax)
    .map(({ other }) => other);
}

function toScore(event: MarqueeEvent, other: MarqueeEvent): number {
  const common = event.projectTypes.filter((type) => other.projectTypes.includes(type)).length;
  const isSameFormat = event.format !== null && event.format === other.format;
  return common * typeScore + Number(isSameFormat);
}

// Of what is over, the latest is nearest.
function compareStart(a: MarqueeEvent, b: MarqueeEvent): number {
  const order = a.startDate < b.startDate ? -1 : Number(a.startDate > b.startDate);
  return (a.status === 'ended' ? -order : order) || (a.id < b.id ? -1 : 1);
}
