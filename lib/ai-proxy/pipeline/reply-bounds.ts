import type { ReplyBound } from '../protocols/chat/chat-request.ts';
import type { ModelRequest } from '../protocols/model-request.ts';
import type { TargetQuirks } from '../quirks/quirk.ts';
import type { UpstreamFailure } from '../upstreams/errors/upstream-failure.ts';
import type { Target } from '../upstreams/select-targets.ts';

/** A reply that neither the client nor a list of models bounds. */
const replyTokensDefault = 32_768;
/** What a stream reserves at first: it reserves more while it runs. */
const streamTokensAtFirst = 8192;
/** How many more tokens a stream reserves at a time. */
export const stepTokens = 256;

type ModelBounds = Pick<Target, 'contextTokens' | 'replyTokensMax'>;
type Sizes = Pick<
  ModelRequest,
  'promptTokensEstimate' | 'outputTokensMin' | 'outputTokensMax' | 'choices' | 'isStream'
>;

/** The longest reply that is possible: by the client, the model's longest reply, and what its context leaves. */
function toLongestReply(
  { promptTokensEstimate, outputTokensMax }: Sizes,
  { contextTokens, replyTokensMax }: ModelBounds,
): number {
  const context = Math.max(1, (contextTokens ?? Infinity) - promptTokensEstimate);
  const longest = Math.min(outputTokensMax ?? Infinity, replyTokensMax ?? Infinity, context);
  return longest === Infinity ? replyTokensDefault : longest;
}

/** What all replies together may have where the upstream gets no bound. */
export function toUnboundedTokens(sizes: Sizes, model: ModelBounds): number {
  return sizes.choices * toLongestReply({ ...sizes, outputTokensMax: null }, model);
}

/** What to reserve for all replies together, where any of these models may serve. */
export function toReplyNeed(
  sizes: Sizes,
  models: readonly ModelBounds[],
): Readonly<{ outputTokensMin: number; outputTokensMax: number }> {
  const longest = Math.max(...models.map((model) => toLongestReply(sizes, model)));
  const atFirst = sizes.isStream ? Math.min(longest, streamTokensAtFirst) : longest;
  const least = Math.min(sizes.outputTokensMin, longest);
  return {
    outputTokensMin: sizes.choices * least,
    outputTokensMax: sizes.choices * Math.max(least, atFirst),
  };
}

/** The bound of each reply for a target: the longest possible one, or what is left of the budget. */
export function toReplyBound(
  model: ModelBounds,
  sizes: Sizes,
  { quirks, left }: Readonly<{ quirks: TargetQuirks; left: number }>,
): ReplyBound {
  const ofEach = Math.max(1, Math.floor(left / sizes.choices));
  const [taken] = quirks.get('max_output_tokens') ?? [];
  const limit = taken === undefined ? Number.POSITIVE_INFINITY : Number(taken);
  return { outputTokensMax: Math.min(toLongestReply(sizes, model), ofEach, limit) };
}

/**
 * The bound to try in place of one that the upstream has rejected: the number that it names, or none. Null: the
 * request must not be repeated, since the client has chosen this bound.
 */
export function replaceRejectedBound(
  { outputTokensMax: tried }: ReplyBound,
  { outputTokensMax: chosen }: Pick<Sizes, 'outputTokensMax'>,
  { rejectedBound }: UpstreamFailure,
): ReplyBound | null {
  if (rejectedBound === null || tried === null || tried === chosen) return null;
  const { outputTokensMax } = rejectedBound;
  const isSmaller = outputTokensMax !== null && outputTokensMax < tried && outputTokensMax >= 1;
  return { outputTokensMax: isSmaller ? outputTokensMax : null };
}
