import { hash } from 'node:crypto';
import type { Log } from '#lib/http/log.ts';
import { toLogFields } from '#lib/storage/storage-error.ts';
import { createCachedValue } from '../models/load-models.ts';
import { isBoundName } from '../quirks/bounds.ts';
import { isTargetQuirk, type TargetQuirk, type TargetQuirks } from '../quirks/quirk.ts';
import { mayAvoid, quirkTable, type Sent, toDefaultQuirks } from '../quirks/quirks.ts';
import type { ClientHeaders } from '../upstreams/connection.ts';
import type { RejectedBound, UpstreamFailure } from '../upstreams/errors/upstream-failure.ts';
import {
  type FactField,
  type FactStore,
  factMs,
  type LearnedFact,
  type ShownField,
} from '../upstreams/fact-store.ts';
import type { Target } from '../upstreams/select-targets.ts';

type Learner = Pick<Target, 'name' | 'model' | 'accepts' | 'fixedQuirks'>;

/** Whose request has taught something, and whether others may rely on that. */
type Teacher = Readonly<{ owner: string; isPlain: boolean }>;

/** A request, as a target has got it. */
type Tried = Teacher &
  Readonly<{
    quirks: TargetQuirks;
    sent: Sent;
    /** Of the client. */
    headers: ClientHeaders;
  }>;

/** What a reply has shown, as the values of a fact. */
export type Shown = Readonly<{
  field: ShownField;
  taken: readonly string[];
  reason: string;
}>;

/** What holds for the requests of an owner to a target, at the moment that it is asked. */
export type KnownFacts = Readonly<{
  /** What it takes, by its settings and by what it has rejected. */
  quirks: () => TargetQuirks;
  /** What plain replies have shown: those of the owner itself, and at least that much those of two owners. */
  shown: (field: ShownField) => Readonly<{ own: LearnedFact | null; ofTwo: LearnedFact | null }>;
}>;

/** What targets have taught: at once for the owner whose request it was, and for others if that was plain. */
export type LearnedFacts = Readonly<{
  /** Asked once by a request. Resolves once what others have learned is known, or the database is away. */
  find: (owner: string) => Promise<(target: Learner) => KnownFacts>;
  /** The quirks for a request that is repeated; null: the error names nothing that it can do without, or all of it was tried. */
  learn: (target: Learner, tried: Tried, error: UpstreamFailure) => TargetQuirks | null;
  show: (target: Learner, teacher: Teacher, shown: Shown) => void;
}>;

/** How soon a process knows what another one has learned. */
const sharedMs = 10_000;
/** A bound below that is no bound of a model: it holds for its request alone. */
const boundLeast = 256;

type LearnedFactsOptions = Readonly<{
  store: FactStore;
  /** Unix time in ms. */
  now: () => number;
  log: Log;
}>;

/** While the database is away, each process goes on with what it knows. */
export function createLearnedFacts({ store, now, log }: LearnedFactsOptions): LearnedFacts {
  /** By target. */
  let known = new Map<string, LearnedFact[]>();
  /** On their way to the database. */
  const unsaved = new Set<LearnedFact>();
  const isValid = ({ learnedAt }: LearnedFact) => now() - learnedAt < factMs;

  function add(fact: LearnedFact): void {
    const name = toName({ name: fact.upstream, model: fact.model });
    const isOther = ({ field, owner }: LearnedFact) => field !== fact.field || owner !== fact.owner;
    known.set(name, [fact, ...(known.get(name) ?? []).filter(isOther)]);
  }

  const shared = createCachedValue({
    async load() {
      const facts = await store.list();
      // What an admin has dropped is gone.
      known = new Map();
      for (const fact of facts.toReversed()) add(fact);
      unsaved.forEach(add);
      return facts;
    },
    now,
    freshMs: sharedMs,
    retryMs: sharedMs,
  });

  let saving = Promise.resolve();

  function save(
    { name: upstream, model }: Learner,
    { owner, isPlain }: Teacher,
    learned: readonly Pick<LearnedFact, 'field' | 'taken' | 'reason'>[],
  ): void {
    const place = { upstream, model, owner: toOwnerHash(owner), isPlain, learnedAt: now() };
    const facts = learned.map((fact) => ({ ...place, ...fact }));
    for (const fact of facts) {
      add(fact);
      unsaved.add(fact);
    }
    // One after the other, so that the last one counts.
    saving = saving
      .then(() => store.save(facts))
      .catch((error: unknown) => log.warn(toLogFields(error), 'what was learned is not stored'))
      .finally(() => {
        for (const fact of facts) unsaved.delete(fact);
      });
  }

  return {
    async find(owner) {
      if (shared.peek() === null) await shared.current().catch(() => {});
      const ownerHash = toOwnerHash(owner);
      return (target) => {
        const name = toName(target);
        const findValid = () => known.get(name)?.filter(isValid) ?? [];
        return {
          quirks() {
            const { accepts, fixedQuirks } = target;
            const learned = toLearnedQuirks(findValid(), ownerHash);
            const isUnknown = learned.length === 0 && accepts === null && fixedQuirks.size === 0;
            return isUnknown
              ? defaultQuirks
              : new Map([...toDefaultQuirks(accepts), ...learned, ...fixedQuirks]);
          },
          shown: (field) =>
            toShown(
              findValid().filter((fact) => fact.field === field),
              ownerHash,
            ),
        };
      };
    },
    learn(target, tried, error) {
      const fields = findFields(target, tried, error);
      const bound = findBound(target, error.rejectedBound);
      const found = new Map([...fields, ...bound]);
      const kept = [...found].filter(
        ([name, taken]) => !isOfRequest(name, error) && !isTooSmall(name, taken),
      );
      if (kept.length > 0) {
        const { name: upstream, model } = target;
        const about = { upstream, model, fields: Object.fromEntries(kept) };
        log.info(about, 'learns what an upstream does not take');
        const reason = `it rejected a request (${error.reason ?? 'without a status'})`;
        save(
          target,
          tried,
          kept.map(([field, taken]) => ({ field, taken, reason })),
        );
      }
      return fields.size === 0 ? null : new Map([...tried.quirks, ...found]);
    },
    show: (target, teacher, shown) => save(target, teacher, [shown]),
  };
}

/** Of a target of which nothing is known. */
const defaultQuirks = toDefaultQuirks(null);

/** Enough to tell owners apart; their ids are stored where they are erased with them. */
function toOwnerHash(owner: string): string {
  return hash('sha256', owner, 'base64url').slice(0, 22);
}

/** What the owner was taught itself holds for it; what others were, if their requests were plain. */
function toLearnedQuirks(
  facts: readonly LearnedFact[],
  ownerHash: string,
): readonly (readonly [TargetQuirk, readonly string[]])[] {
  const fields = [...new Set(facts.map(({ field }) => field))].filter(isTargetQuirk);
  return fields.flatMap((field) => {
    const ofField = facts.filter((fact) => fact.field === field);
    const own = ofField.find((fact) => fact.owner === ownerHash);
    const taken = own?.taken ?? toTakenByOthers(field, ofField);
    return taken === null ? [] : [[field, taken] as const];
  });
}

/** Whether what some owners have been taught of a field holds for others: of bounds and numbers, if two have. */
export function holdForAll(field: FactField, facts: readonly LearnedFact[]): boolean {
  const ownersMin = isTargetQuirk(field) && !isBoundName(field) ? 1 : 2;
  return facts.filter(({ isPlain }) => isPlain).length >= ownersMin;
}

/** Of bounds the largest: it cuts no reply that is possible. */
function toTakenByOthers(
  field: TargetQuirk,
  facts: readonly LearnedFact[],
): readonly string[] | null {
  if (!holdForAll(field, facts)) return null;
  const plain = facts.filter(({ isPlain }) => isPlain);
  const largest = (taken: readonly string[]) => Math.max(0, ...taken.map(Number));
  if (field !== 'max_output_tokens') return plain[0]?.taken ?? null;
  return plain.map(({ taken }) => taken).sort((a, b) => largest(b) - largest(a))[0] ?? null;
}

/** Of two owners the second highest counts, which a single one cannot move beyond what another has seen. */
function toShown(
  facts: readonly LearnedFact[],
  ownerHash: string,
): ReturnType<KnownFacts['shown']> {
  const plain = facts.filter(({ isPlain }) => isPlain);
  const [, ofTwo = null] = plain.toSorted((a, b) => Number(b.taken[0]) - Number(a.taken[0]));
  return { own: plain.find(({ owner }) => owner === ownerHash) ?? null, ofTwo };
}

/** Such a bound may be what a part of a request has left, or what somebody has made a server say. */
function isTooSmall(field: TargetQuirk, [taken]: readonly string[]): boolean {
  return field === 'max_output_tokens' && Number(taken) < boundLeast;
}

function isOfRequest(field: TargetQuirk, { rejectedFields }: UpstreamFailure): boolean {
  return rejectedFields.some((rejected) => rejected.name === field && rejected.isOfRequest);
}

function toName({ name, model }: Pick<Target, 'name' | 'model'>): string {
  return `${name} ${model}`;
}

function findFields(
  { fixedQuirks }: Learner,
  { quirks, sent, headers }: Tried,
  { rejectedFields }: UpstreamFailure,
): TargetQuirks {
  const found: [TargetQuirk, readonly string[]][] = [];
  for (const { name, values } of rejectedFields) {
    if (!isTargetQuirk(name) || !mayAvoid(name, sent)) continue;
    if (fixedQuirks.has(name) || quirks.get(name)?.length === 0) continue;
    const { toTaken } = quirkTable.find((quirk) => quirk.name === name) ?? {};
    // A value that it has named, and rejects all the same.
    found.push([name, quirks.has(name) ? [] : (toTaken?.(values, headers) ?? values)]);
  }
  return new Map(found);
}

/** A number that depends on the request, such as what its prompt leaves, is not learned. */
function findBound({ fixedQuirks }: Learner, rejected: RejectedBound | null): TargetQuirks {
  const { outputTokensMax, isOfModel } = rejected ?? {};
  const isLearned = isOfModel && outputTokensMax && !fixedQuirks.has('max_output_tokens');
  return new Map(isLearned ? [['max_output_tokens', [String(outputTokensMax)]]] : []);
}
