/** Which API is used: one of OpenAI’s two, or Anthropic’s. */
export const apis = ['responses', 'chat', 'messages'] as const;
export type Api = (typeof apis)[number];

export type Turn = Readonly<{
  role: 'user' | 'assistant';
  content: string;
  /** Data URLs, of a user’s turn. */
  pictures?: readonly string[];
}>;

/** What the visitor set; null: the model’s own value. */
export type ChatSettings = Readonly<{
  system: string;
  temperature: number | null;
  /** The longest reply, in tokens. */
  replyTokensMax: number | null;
}>;

export const noSettings: ChatSettings = { system: '', temperature: null, replyTokensMax: null };

/** A request with all turns so far: the proxy stores no conversations. */
export type ChatRequest = Readonly<{ api: Api; model: string; turns: readonly Turn[] }> &
  Partial<ChatSettings>;

export const apiPaths: Readonly<Record<Api, string>> = {
  responses: '/proxy/v1/responses',
  chat: '/proxy/v1/chat/completions',
  messages: '/proxy/v1/messages',
};

/** The same in a member's name, on the account pages. */
export const sessionPaths: Readonly<Record<Api, string>> = {
  responses: '/account/playground/responses',
  chat: '/account/playground/chat',
  messages: '/account/playground/messages',
};

/** Messages has no default. */
const replyTokensDefault = 4_096;

/** The fields of a request, but for how the reply is sent. */
export function toRequestFields(request: ChatRequest): Readonly<Record<string, unknown>> {
  const { api, model, turns, system = '', temperature = null, replyTokensMax = null } = request;
  const heat = temperature === null ? {} : { temperature };
  if (api === 'responses') {
    return {
      model,
      ...(system !== '' && { instructions: system }),
      input: toInput(turns),
      ...heat,
      ...(replyTokensMax !== null && { max_output_tokens: replyTokensMax }),
    };
  }
  const messages = turns.map((turn) => ({ role: turn.role, content: toContent(turn, api) }));
  if (api === 'messages') {
    return {
      model,
      max_tokens: replyTokensMax ?? replyTokensDefault,
      ...(system !== '' && { system }),
      messages,
      ...heat,
    };
  }
  return {
    model,
    messages: system === '' ? messages : [{ role: 'system', content: system }, ...messages],
    ...heat,
    ...(replyTokensMax !== null && { max_tokens: replyTokensMax }),
  };
}

/** The JSON body; the reply is streamed. */
export function toRequestBody(request: ChatRequest): Readonly<Record<string, unknown>> {
  const fields = { ...toRequestFields(request), stream: true };
  return request.api === 'chat' ? { ...fields, stream_options: { include_usage: true } } : fields;
}

/** Turns as `input` of Responses: a single turn of text is a plain string. */
function toInput(turns: readonly Turn[]): unknown {
  const [first] = turns;
  if (turns.length === 1 && first !== undefined && first.pictures === undefined)
    return first.content;
  return turns.map((turn) => ({ role: turn.role, content: toContent(turn, 'responses') }));
}

function toContent({ content, pictures }: Turn, api: Api): unknown {
  if (pictures === undefined) return content;
  const textType = api === 'responses' ? 'input_text' : 'text';
  return [
    ...pictures.map((url) => toPicturePart(url, api)),
    ...(content === '' ? [] : [{ type: textType, text: content }]),
  ];
}

function toPicturePart(url: string, api: Api): object {
  if (api === 'responses') return { type: 'input_image', image_url: url };
  if (api === 'chat') return { type: 'image_url', image_url: { url } };
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/.exec(url) ?? [];
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}
