import type { HttpError } from '#lib/http/errors/errors.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import { toMessagesErrorBody } from '../../error-response.ts';
import { toNamedSseFrame } from '../../stream/sse-frame.ts';

/** A frame of a Messages stream. */
export function toMessagesFrame(type: string, fields: JsonObject = {}): string {
  return toNamedSseFrame(type, JSON.stringify({ type, ...fields }));
}

/** The event with which a failed stream ends; there is no `[DONE]` in this protocol. */
export function toMessagesFailure(error: HttpError): string {
  return toNamedSseFrame('error', JSON.stringify(toMessagesErrorBody(error)));
}
