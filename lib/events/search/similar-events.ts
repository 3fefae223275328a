import { compareText } from '../model/compare-text.ts';
import type { EventStatus, MarqueeEvent } from '../model/schema.ts';

const ranks: Readonly<Record<EventStatus, number>> = { ongoing: 0, upcoming: 0, ended: 1 };

/** A common project type counts more than the same format. */
const typeScore = 2;

/**
 * Events with project types in common. Upcoming and ongoing ones come first, then the most similar ones, then
 * those that start next.
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

// Past events: latest first.
function compareStart(a: MarqueeEvent, b: MarqueeEvent): number {
  const order = compareText(a.startDate, b.startDate);
  return (a.status === 'ended' ? -order : order) || compareText(a.id, b.id);
}
