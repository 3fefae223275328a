/** An API of an upstream: Chat Completions, Responses, or Embeddings. */
export type Protocol = 'chat' | 'responses' | 'embeddings';

/** The protocols that an upstream speaks. */
export type Protocols = ReadonlySet<Protocol>;

/** In which protocol to call an upstream: the client’s own if it speaks that, else translated to chat. */
export function chooseProtocol(wanted: Protocol, spoken: Protocols): Protocol {
  return spoken.has(wanted) ? wanted : 'chat';
}
