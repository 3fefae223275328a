import type { HttpError, RejectedBound } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { createCachedValue } from '../models/load-models.ts';
import {
  type FieldLimits,
  isOptionalField,
  type LimitedField,
  toLimits,
} from '../protocols/chat/optional-fields.ts';
import { type FactStore, factMs, type LearnedFact } from '../upstreams/fact-store.ts';
import type { Target } from '../upstreams/select-targets.ts';
import type { Exchange } from './generation.ts';

type Learner = Pick<Target, 'name' | 'model' | 'accepts' | 'fixedLimits'>;

/** What a target has got. */
type Tried = Readonly<{
  limits: FieldLimits;
  added: Exchange['added'];
  /** Of the client: see `beta-header.ts`. */
  betas: readonly string[];
}>;

/** What targets take of the optional fields, by their settings and by what they have rejected. */
export type LearnedFacts = Readonly<{
  limitsFor: (target: Learner) => Promise<FieldLimits>;
  /** The limits for a request that is repeated; null: the error names nothing of `added` that was not tried. */
  learn: (target: Learner, tried: Tried, error: HttpError) => FieldLimits | null;
}>;

/** How soon a process knows what another one has learned. */
const sharedMs = 10_000;

type LearnedFactsOptions = Readonly<{
  store: FactStore;
  /** Unix time in ms. */
  now: () => number;
  log: Log;
}>;

/** While the database is away, each process goes on with what it knows. */
export function createLearnedFacts({ store, now, log }: LearnedFactsOptions): LearnedFacts {
  const known = new Map<string, Map<LimitedField, LearnedFact>>();
  const isValid = ({ learnedAt }: LearnedFact) => now() - learnedAt < factMs;

  function add(fact: LearnedFact): void {
    const name = toName({ name: fact.upstream, model: fact.model });
    const ofTarget = known.get(name) ?? new Map<LimitedField, LearnedFact>();
    const before = ofTarget.get(fact.field);
    if (before === undefined || before.learnedAt <= fact.learnedAt) ofTarget.set(fact.field, fact);
    known.set(name, ofTarget);
  }

  const shared = createCachedValue({
    async load() {
      const facts = await store.list();
      for (const [name, ofTarget] of known) {
        if (![...ofTarget.values()].some(isValid)) known.delete(name);
      }
      facts.forEach(add);
      return facts;
    },
    now,
    freshMs: sharedMs,
    retryMs: sharedMs,
  });

  let saving = Promise.resolve();

  function save(target: Learner, found: FieldLimits): void {
    const { name: upstream, model } = target;
    const learnedAt = now();
    const facts = [...found].map(([field, taken]) => ({
      upstream,
      model,
      field,
      taken,
      learnedAt,
    }));
    facts.forEach(add);
    const fields = Object.fromEntries(found);
    log.info({ upstream, model, fields }, 'learns what an upstream does not take');
    // One after the other, so that the last one counts.
    saving = saving
      .then(() => store.save(facts))
      .catch((error: unknown) => log.warn(toLogFields(error), 'what was learned is not stored'));
  }

  return {
    async limitsFor(target) {
      if (shared.peek() === null) await shared.current().catch(() => {});
      const learned = [...(known.get(toName(target))?.values() ?? [])].filter(isValid);
      return new Map([
        ...toLimits(target.accepts),
        ...learned.map(({ field, taken }) => [field, taken] as const),
        ...target.fixedLimits,
      ]);
    },
    learn(target, tried, error) {
      const fields = findFields(target, tried, error);
      const found = new Map([...fields, ...findBound(target, error.rejectedBound)]);
      const kept = new Map([...found].filter(([name]) => !isOfRequest(name, error)));
      if (kept.size > 0) save(target, kept);
      return fields.size === 0 ? null : new Map([...tried.limits, ...found]);
    },
  };
}

function isOfRequest(field: LimitedField, { rejectedFields }: HttpError): boolean {
  return rejectedFields.some((rejected) => rejected.name === field && rejected.isOfRequest);
}

function toName({ name, model }: Pick<Target, 'name' | 'model'>): string {
  return `${name} ${model}`;
}

function findFields(
  { fixedLimits }: Learner,
  tried: Tried,
  { rejectedFields }: HttpError,
): FieldLimits {
  const { limits, added = [] } = tried;
  return new Map(
    rejectedFields.flatMap(({ name, values }) => {
      const isAdded = isOptionalField(name) && (added === 'all' || added.includes(name));
      if (!isAdded || fixedLimits.has(name) || limits.get(name)?.length === 0) return [];
      return [[name, toTaken(name, values, tried)] as const];
    }),
  );
}

/** @param values those that it takes; of betas, those that it does not know */
function toTaken(
  name: LimitedField,
  values: readonly string[],
  { limits, betas }: Tried,
): readonly string[] {
  // A value that it has named, and rejects all the same.
  if (limits.has(name)) return [];
  if (name !== 'anthropic_beta') return values;
  const known = betas.filter((beta) => !values.includes(beta));
  return known.length < betas.length ? known : [];
}

/** A number that depends on the request, such as what its prompt leaves, is not learned. */
function findBound({ fixedLimits }: Learner, rejected: RejectedBound | null): FieldLimits {
  const { field, outputTokensMax, isOfModel } = rejected ?? {};
  const found: [LimitedField, readonly string[]][] = [];
  if (field !== undefined) found.push(['max_tokens', [field]]);
  if (isOfModel && outputTokensMax) found.push(['max_output_tokens', [String(outputTokensMax)]]);
  return new Map(found.filter(([name]) => !fixedLimits.has(name)));
}
