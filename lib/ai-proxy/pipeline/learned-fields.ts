import { LRUCache } from 'lru-cache';
import type { HttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { type FieldLimits, isOptionalField, toLimits } from '../protocols/chat/optional-fields.ts';
import type { Target } from '../upstreams/select-targets.ts';
import type { Exchange } from './generation.ts';

/** What targets take of the optional fields, by their settings and by what they have rejected. */
export type LearnedFields = Readonly<{
  limitsFor: (target: Target) => FieldLimits;
  /** The limits for a request that is repeated; null: the error names nothing of `added` that was not tried. */
  learn: (
    target: Target,
    tried: Readonly<{ limits: FieldLimits; added: Exchange['added'] }>,
    error: HttpError,
  ) => FieldLimits | null;
}>;

const learnedMs = 3_600_000;

/** @param now Unix time in ms */
export function createLearnedFields({
  now,
  log,
}: Readonly<{ now: () => number; log: Log }>): LearnedFields {
  const learned = new LRUCache<string, FieldLimits>({
    max: 1000,
    ttl: learnedMs,
    ttlResolution: 0,
    perf: { now },
  });
  const toName = ({ name, model }: Target) => `${name} ${model}`;
  return {
    limitsFor: (target) =>
      new Map([...toLimits(target.accepts), ...(learned.get(toName(target)) ?? [])]),
    learn(target, { limits, added = [] }, { rejectedFields }) {
      const found: FieldLimits = new Map(
        rejectedFields.flatMap(({ name, values }) => {
          const isAdded = isOptionalField(name) && (added === 'all' || added.includes(name));
          if (!isAdded || limits.get(name)?.length === 0) return [];
          // A value that it has named, and rejects all the same.
          return [[name, limits.has(name) ? [] : values]];
        }),
      );
      if (found.size === 0) return null;
      learned.set(toName(target), new Map([...(learned.get(toName(target)) ?? []), ...found]));
      const { name: upstream, model } = target;
      const fields = Object.fromEntries(found);
      log.info({ upstream, model, fields }, 'learns what an upstream does not take');
      return new Map([...limits, ...found]);
    },
  };
}
