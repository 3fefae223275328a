import { HttpError } from '#lib/http/errors/errors.ts';

/** An API of an upstream: Chat Completions, Responses, Anthropic’s Messages, or Embeddings. */
export type Protocol = 'chat' | 'responses' | 'messages' | 'embeddings';

/** The protocols that an upstream speaks. */
export type Protocols = ReadonlySet<Protocol>;

/**
 * In which protocol to call an upstream: the client’s own if it speaks that, else translated to chat.
 * @throws HttpError 404 if it speaks neither
 */
export function chooseProtocol(wanted: Protocol, spoken: Protocols): Protocol {
  if (spoken.has(wanted)) return wanted;
  return requireProtocol('chat', spoken, names[wanted]);
}

/** @throws HttpError 404 if an upstream does not speak a protocol */
export function requireProtocol(
  protocol: Protocol,
  spoken: Protocols,
  name = names[protocol],
): Protocol {
  if (spoken.has(protocol)) return protocol;
  throw new HttpError(404, {
    code: 'model_not_found',
    param: 'model',
    message: `The service behind this model does not support ${name}: choose another model, or another endpoint.`,
    reason: 'no target speaks the protocol',
  });
}

const names: Readonly<Record<Protocol, string>> = {
  chat: 'Chat Completions',
  responses: 'Responses',
  messages: 'Messages',
  embeddings: 'Embeddings',
};
