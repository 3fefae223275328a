import type { JsonObject } from '#lib/http/json-value.ts';
import { type TokenUsage, toMessagesUsage } from '#lib/spend/usage/token-usage.ts';

type MessageFields = Readonly<{
  id: string;
  model: string;
  content: readonly JsonObject[];
  stopReason: string | null;
  stopSequence: string | null;
  usage: TokenUsage;
}>;

/** A message of the model with all documented fields. */
export function createMessageObject(fields: MessageFields): JsonObject {
  const { id, model, content, stopReason, stopSequence, usage } = fields;
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stopReason,
    stop_sequence: stopSequence,
    usage: toMessagesUsage(usage),
  };
}
