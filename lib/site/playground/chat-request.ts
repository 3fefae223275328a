/** Which of OpenAI’s two APIs is used. */
export type Api = 'responses' | 'chat';

export type Turn = Readonly<{ role: 'user' | 'assistant'; content: string }>;

/** A request with all turns so far: the proxy stores no conversations. */
export type ChatRequest = Readonly<{ api: Api; model: string; turns: readonly Turn[] }>;

export const apiPaths: Readonly<Record<Api, string>> = {
  responses: '/proxy/v1/responses',
  chat: '/proxy/v1/chat/completions',
};

/** The same in a member's name, on the account pages. */
export const sessionPaths: Readonly<Record<Api, string>> = {
  responses: '/account/playground/responses',
  chat: '/account/playground/chat',
};

/** The JSON body; the reply is streamed. */
export function toRequestBody({
  api,
  model,
  turns,
}: ChatRequest): Readonly<Record<string, unknown>> {
  if (api === 'responses') return { model, input: toInput(turns), stream: true };
  return { model, messages: turns, stream: true, stream_options: { include_usage: true } };
}

/** Turns as `input` of Responses: a single turn is a plain string. */
export function toInput(turns: readonly Turn[]): string | readonly Turn[] {
  const [first] = turns;
  return turns.length === 1 && first !== undefined ? first.content : turns;
}
