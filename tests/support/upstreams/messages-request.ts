import {
  type MessagesRequest,
  readMessagesRequest,
} from '#lib/ai-proxy/protocols/messages/messages-request.ts';
import { unmarked } from './unmarked.ts';

/** A validated Messages request. */
export function createMessagesRequest(fields: object = {}): MessagesRequest {
  const messages = [{ role: 'user', content: 'Hello' }];
  return readMessagesRequest({ model: 'requested/model', max_tokens: 100, messages, ...fields });
}

/** Deterministic ids for translations. */
export function createMessageIds() {
  let count = 0;
  return { id: 'msg_1', newId: (prefix: string) => `${prefix}_${++count}`, reasoning: unmarked };
}
