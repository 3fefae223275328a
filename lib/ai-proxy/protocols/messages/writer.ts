import type { HttpError } from '#lib/http/errors/errors.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { toMessagesUsage } from '#lib/spend/usage/write-usage.ts';
import { toMessagesErrorBody } from '../../error-response.ts';
import { toNamedSseFrame } from '../../stream/stream-relay.ts';
import { writeJson } from '../json/source-text.ts';

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

/** A frame of a Messages stream. */
export function toMessagesFrame(type: string, fields: JsonObject = {}): string {
  return toNamedSseFrame(type, writeJson({ type, ...fields }));
}

/** The same for fields that are already JSON text, without braces. */
export function toMessagesTextFrame(type: string, fields: string): string {
  return toNamedSseFrame(type, `{"type":"${type}",${fields}}`);
}

/** The event with which a failed stream ends; there is no `[DONE]` in this protocol. */
export function toMessagesFailure(error: HttpError): string {
  return toNamedSseFrame('error', JSON.stringify(toMessagesErrorBody(error)));
}
