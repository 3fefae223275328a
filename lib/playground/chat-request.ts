/** Which of the two forms of OpenAI’s API is spoken. */
export type Api = 'responses' | 'chat';

export type Turn = Readonly<{ role: 'user' | 'assistant'; content: string }>;

/** What is asked: all turns so far, since the proxy keeps none. */
export type Question = Readonly<{ api: Api; model: string; turns: readonly Turn[] }>;

export const apiPaths: Readonly<Record<Api, string>> = {
  responses: '/proxy/v1/responses',
  chat: '/proxy/v1/chat/completions',
};

/** The body of a request that streams its reply. */
export function toRequestBody({ api, model, turns }: Question): Readonly<Record<string, unknown>> {
  if (api === 'responses') return { model, input: toInput(turns), stream: true };
  return { model, messages: turns, stream: true, stream_options: { include_usage: true } };
}

/** Turns as Responses takes them: a lone question is a mere text. */
export function toInput(turns: readonly Turn[]): string | readonly Turn[] {
  const [first] = turns;
  return turns.length === 1 && first !== undefined ? first.content : turns;
}
