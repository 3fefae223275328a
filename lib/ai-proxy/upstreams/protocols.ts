/** An API of an upstream: Chat Completions, Responses, Anthropic’s Messages, or Embeddings. */
export type Protocol = 'chat' | 'responses' | 'messages' | 'embeddings';

/** The protocols that an upstream speaks. */
export type Protocols = ReadonlySet<Protocol>;

/** In which protocol to call an upstream: the client’s own if it speaks that, else translated to chat. */
export function chooseProtocol(wanted: Protocol, spoken: Protocols): Protocol {
  return spoken.has(wanted) ? wanted : 'chat';
}
