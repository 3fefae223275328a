import { LRUCache } from 'lru-cache';
import type { HttpError } from '#lib/http/errors/errors.ts';
import type { ReplyBound } from '../protocols/chat/read-request.ts';
import type { Target } from '../upstreams/target.ts';
import type { Generation } from './generation.ts';

/** A reply that neither the client nor a list of models bounds. */
const replyTokensDefault = 32_768;
/** What a stream reserves at first: it reserves more while it runs. */
const streamTokensAtFirst = 8192;
/** How many more tokens a stream reserves at a time. */
export const stepTokens = 256;

type Limits = Pick<Target, 'contextTokens' | 'replyTokensMax'>;
type Sizes = Pick<
  Generation,
  'promptTokensEstimate' | 'outputTokensMin' | 'outputTokensMax' | 'choices' | 'isStream'
>;

/** The longest reply that is possible: by the client, the model's longest reply, and what its context leaves. */
export function toLongestReply(
  { promptTokensEstimate, outputTokensMax }: Sizes,
  { contextTokens, replyTokensMax }: Limits,
): number {
  const context = contextTokens === null ? null : Math.max(1, contextTokens - promptTokensEstimate);
  const bounds = [outputTokensMax, replyTokensMax, context].filter((one) => one !== null);
  return bounds.length === 0 ? replyTokensDefault : Math.min(...bounds);
}

/** What to reserve for all replies together, where any of these models may serve. */
export function toReplyNeed(
  sizes: Sizes,
  models: readonly Limits[],
): Readonly<{ outputTokensMin: number; outputTokensMax: number }> {
  const longest = Math.max(...models.map((limits) => toLongestReply(sizes, limits)));
  const atFirst = sizes.isStream ? Math.min(longest, streamTokensAtFirst) : longest;
  const least = Math.min(sizes.outputTokensMin, longest);
  return {
    outputTokensMin: sizes.choices * least,
    outputTokensMax: sizes.choices * Math.max(least, atFirst),
  };
}

/** The bounds of replies that upstreams get, and what these have taught about them. */
export type ReplyBounds = Readonly<{
  /** The bound of each reply for a target: the longest possible one, or what is left of the budget. */
  boundFor: (target: Target, sizes: Sizes, left: number) => ReplyBound;
  /**
   * The bound to try in place of one that the upstream has rejected: the number that it names, or none. Null: the
   * request must not be repeated, since the client has chosen this bound.
   */
  replaceRejected: (
    target: Target,
    sizes: Sizes,
    rejected: Readonly<{ bound: ReplyBound; error: HttpError }>,
  ) => ReplyBound | null;
}>;

const learnedMs = 3_600_000;

export function createReplyBounds(): ReplyBounds {
  /** Targets that take their bound in another field. Rejected numbers depend on the request, so they are not learned. */
  const fields = new LRUCache<string, NonNullable<ReplyBound['field']>>({
    max: 1000,
    ttl: learnedMs,
  });
  const toName = ({ name, model }: Target) => `${name} ${model}`;
  return {
    boundFor(target, sizes, left) {
      const ofEach = Math.max(1, Math.floor(left / sizes.choices));
      const outputTokensMax = Math.min(toLongestReply(sizes, target), ofEach);
      const field = outputTokensMax === sizes.outputTokensMax ? null : fields.get(toName(target));
      return { outputTokensMax, ...(field && { field }) };
    },
    replaceRejected(target, sizes, { bound, error: { rejectedBound } }) {
      const tried = bound.outputTokensMax;
      if (rejectedBound === null || tried === null || tried === sizes.outputTokensMax) return null;
      const { outputTokensMax, field } = rejectedBound;
      if (field !== undefined) {
        fields.set(toName(target), field);
        return { outputTokensMax: outputTokensMax ?? tried, field };
      }
      const isSmaller = outputTokensMax !== null && outputTokensMax < tried && outputTokensMax >= 1;
      return { outputTokensMax: isSmaller ? outputTokensMax : null };
    },
  };
}
