import { LRUCache } from 'lru-cache';
import type { HttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import {
  isOptionalField,
  type OptionalField,
  toLeftOut,
} from '../protocols/chat/optional-fields.ts';
import type { Target } from '../upstreams/select-targets.ts';
import type { Exchange } from './generation.ts';

type Fields = ReadonlySet<OptionalField>;

/** The optional fields that targets do without, by their settings and by what they have rejected. */
export type LearnedFields = Readonly<{
  leftOutFor: (target: Target) => Fields;
  /** What to leave out when a request is repeated; null: the error names nothing of `added` that `leftOut` lacks. */
  learn: (
    target: Target,
    tried: Readonly<{ leftOut: Fields; added: Exchange['added'] }>,
    error: HttpError,
  ) => Fields | null;
}>;

const learnedMs = 3_600_000;

/** @param now Unix time in ms */
export function createLearnedFields({
  now,
  log,
}: Readonly<{ now: () => number; log: Log }>): LearnedFields {
  const learned = new LRUCache<string, Fields>({
    max: 1000,
    ttl: learnedMs,
    ttlResolution: 0,
    perf: { now },
  });
  const toName = ({ name, model }: Target) => `${name} ${model}`;
  return {
    leftOutFor: (target) =>
      new Set([...toLeftOut(target.accepts), ...(learned.get(toName(target)) ?? [])]),
    learn(target, { leftOut, added = [] }, { rejectedFields }) {
      const found = rejectedFields
        .filter(isOptionalField)
        .filter((field) => !leftOut.has(field) && (added === 'all' || added.includes(field)));
      if (found.length === 0) return null;
      learned.set(toName(target), new Set([...(learned.get(toName(target)) ?? []), ...found]));
      const { name: upstream, model } = target;
      log.info({ upstream, model, fields: found }, 'leaves out what an upstream does not know');
      return new Set([...leftOut, ...found]);
    },
  };
}
