import type { JsonObject } from '#lib/http/json-value.ts';
import type { FinishReason } from '../chat/finish-reason.ts';

export type Stop = Readonly<{ stopReason: string; stopSequence: string | null }>;

type StopOptions = Readonly<{
  hasCalls: boolean;
  /** The choice that ended: some servers say which stop sequence they met. */
  choice: JsonObject;
  stopSequences: readonly string[];
}>;

/** Why a reply ended, in terms of Messages. */
export function toStop(reason: FinishReason, options: StopOptions): Stop {
  const { hasCalls, choice, stopSequences } = options;
  if (reason === 'length') return { stopReason: 'max_tokens', stopSequence: null };
  if (reason === 'content_filter') return { stopReason: 'refusal', stopSequence: null };
  // Some servers end a reply of calls with `stop`.
  if (hasCalls) return { stopReason: 'tool_use', stopSequence: null };
  const met = [choice.stop_reason, choice.matched_stop, choice.native_finish_reason];
  const stopSequence = stopSequences.find((one) => met.includes(one)) ?? null;
  return { stopReason: stopSequence === null ? 'end_turn' : 'stop_sequence', stopSequence };
}
