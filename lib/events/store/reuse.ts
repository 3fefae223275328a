import type { EventDraft } from '../model/schema.ts';

/**
 * `next` with all that is the same in `before` taken from `before`; `before` itself where nothing differs.
 * What has not changed since the last read of a large table is so held once, where it has long been, and
 * what was read anew is let go at once: else every read moves megabytes about in memory, and requests wait.
 * @param next plain data; parts of it are replaced, in place, by ones that are just the same.
 */
export function reuse<T>(next: T, before: unknown): T {
  // Of two equal texts, too, the old one is kept.
  if (Object.is(next, before)) return before as T;
  if (!isPlain(next) || !isPlain(before) || Array.isArray(next) !== Array.isArray(before))
    return next;
  const parts: Record<string, unknown> = next;
  const keys = Object.keys(parts);
  let isSame = keys.length === Object.keys(before).length;
  for (const key of keys) {
    // What is inherited, such as `__proto__`, is nothing that was there before.
    if (Object.hasOwn(before, key)) parts[key] = reuse(parts[key], before[key]);
    isSame &&= Object.hasOwn(before, key) && Object.is(parts[key], before[key]);
  }
  return isSame ? (before as T) : next;
}

export type DraftMemory = Readonly<{
  /** The draft, with all that was the same in the last read taken from there. To be asked as it is made. */
  keep: (draft: EventDraft) => EventDraft;
  /** To be told once a read is complete. */
  remember: (drafts: readonly EventDraft[]) => void;
}>;

/** What the last read of a source gave. */
export function createDraftMemory(): DraftMemory {
  let known: ReadonlyMap<string, EventDraft> = new Map();
  const isKnown = (draft: EventDraft) => known.get(draft.id) === draft;
  return {
    keep: (draft) => reuse(draft, known.get(draft.id)),
    remember(drafts) {
      const isSame = drafts.length === known.size && drafts.every(isKnown);
      if (!isSame) known = new Map(drafts.map((draft) => [draft.id, draft]));
    },
  };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
