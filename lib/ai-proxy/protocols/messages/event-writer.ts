import type { ProxyError } from '../../proxy-error.ts';
import { toNamedSseFrame } from '../../stream/sse-frame.ts';
import type { JsonObject } from '../json/json-value.ts';
import { toMessagesErrorBody } from './error-body.ts';

/** A frame of a Messages stream. */
export function toMessagesFrame(type: string, fields: JsonObject = {}): string {
  return toNamedSseFrame(type, JSON.stringify({ type, ...fields }));
}

/** The event with which a failed stream ends; there is no `[DONE]` in this protocol. */
export function toMessagesFailure(error: ProxyError): string {
  return toNamedSseFrame('error', JSON.stringify(toMessagesErrorBody(error)));
}
