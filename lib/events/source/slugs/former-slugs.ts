import { changesDays } from '../../changes/change-store.ts';
import type { MarqueeEvent } from '../../model/schema.ts';
import { type EventsSnapshot, findEvent } from '../snapshot.ts';

export type RenamedEvent = Readonly<{
  kind: 'renamed';
  event: MarqueeEvent;
  /** While the database is away, it may be another event that has the slug. */
  isTemporary: boolean;
}>;

/** The event that a slug belonged to. */
export type FormerEvent = RenamedEvent | Readonly<{ kind: 'removed' }>;

const slugLengthMax = 100;
const dayMs = 86_400_000;

/** Finds out about a slug or id that no event of the snapshot has. */
export async function findFormerEvent(
  snapshot: EventsSnapshot,
  idOrSlug: string,
): Promise<FormerEvent | null> {
  const sharedBy = snapshot.sharedSlugs.get(idOrSlug.toLowerCase());
  const first = sharedBy === undefined ? undefined : findEvent(snapshot, sharedBy);
  if (first !== undefined) return { kind: 'renamed', event: first, isTemporary: true };
  if (idOrSlug.length > slugLengthMax) return null;
  const stored = await snapshot.findStoredSlug(idOrSlug);
  if (stored === null) return null;
  const position = snapshot.positionById.get(stored.eventId);
  const event = position === undefined ? undefined : snapshot.events[position];
  if (event !== undefined) return { kind: 'renamed', event, isTemporary: false };
  const { removedAtMs } = stored;
  const isRemoved = removedAtMs !== null && removedAtMs > snapshot.readAtMs - changesDays * dayMs;
  return isRemoved ? { kind: 'removed' } : null;
}
