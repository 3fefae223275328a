import { faultCanary } from '../../airtable/faults.ts';
import { type JsonObject, jsonHeaders, type Reply, toJsonReply, toReply } from '../reply.ts';

/** A fault that is a complete response, the same in both APIs, streamed or not. */
export type FaultResponse = Readonly<{ does: string; reply: () => Reply }>;

// Texts of upstream errors that clients may see, and texts that they may not.
const refusal = `Invalid value for 'temperature': at most 1 for this model. See https://${faultCanary}.example/help with sk-${faultCanary}-0123456789.`;
const tooLong = `This model's maximum context length is 4096 tokens, but 5000 were asked for (request req_011${faultCanary}).`;

/** Response faults, by the name after `fault/`. */
export const faultResponses: Readonly<Record<string, FaultResponse>> = {
  400: answer('a refusal with a param, a link and a key in its text', 400, {
    message: refusal,
    param: 'temperature',
  }),
  '400-account': answer('a refusal that speaks of the account', 400, {
    message: `Your organization ${faultCanary} has no access to this parameter; check its billing.`,
  }),
  '400-context': answer('the prompt is too long, in OpenAI’s words', 400, {
    message: tooLong,
    param: 'messages',
    code: 'context_length_exceeded',
  }),
  '400-context-number': answer('the same, with a number for its code as OpenRouter has it', 400, {
    message: tooLong,
    code: 400,
    metadata: { provider_name: faultCanary, raw: faultCanary },
  }),
  '400-key': answer('a wrong key of ours, said with 400', 400, {
    message: `API key not valid: ${faultCanary}. Please pass a valid API key.`,
  }),
  '400-html': page('a refusal by a machine in between', 400),
  '400-text': text('a refusal that is no JSON', 400),
  401: answer('our key is wrong', 401, {
    message: `Incorrect API key provided: sk-${faultCanary}.`,
    code: 'invalid_api_key',
  }),
  402: answer('our credit is spent', 402, { message: `Insufficient credits on ${faultCanary}` }),
  403: answer('our account may not', 403, { message: `Not for ${faultCanary}` }),
  404: answer('the upstream does not know the model', 404, {
    message: `The model does not exist or you (${faultCanary}) do not have access to it.`,
    param: 'model',
    code: 'model_not_found',
  }),
  '404-html': page('the address is wrong', 404),
  408: answer('the upstream waited too long for us', 408, { message: faultCanary }),
  409: answer('a conflict', 409, { message: faultCanary }),
  413: page('a body too large for a machine in between', 413),
  422: answer('a refusal in another form: a list of details', 422, undefined, {
    detail: [{ loc: ['body', 'messages'], msg: faultCanary }],
  }),
  429: answer('too many requests, without a Retry-After', 429, { message: faultCanary }),
  '429-wait': answer('too many requests, with a Retry-After of 7 s', 429, {}, {}, '7'),
  '429-short': answer('too many requests, with a Retry-After of 1 s', 429, {}, {}, '1'),
  '429-quota': answer('our quota is spent, said with 429', 429, {
    message: `You exceeded your current quota, ${faultCanary}`,
    code: 'insufficient_quota',
  }),
  500: answer('an inner error', 500, { message: faultCanary, type: 'server_error' }),
  502: page('a machine in between finds nobody', 502),
  503: answer('no room, with a Retry-After of 3 s', 503, { message: faultCanary }, {}, '3'),
  504: page('a machine in between waited too long', 504),
  524: page('the same, as Cloudflare says it', 524),
  529: answer('overloaded, as Anthropic says it', 529, { message: faultCanary }),
  204: plain('an answer without a body', 204, {}),
  302: plain('a redirect', 302, { location: `http://${faultCanary}.example/` }),
  html: page('a login page where JSON belongs', 200),
  '200-error': answer('an error in a 200', 200, { message: faultCanary, code: 500 }),
  '200-429': answer('too many requests, said in a 200', 200, { message: faultCanary, code: 429 }),
  'broken-json': text('JSON that stops in the middle', 200, jsonHeaders),
  'wrong-shape': answer('sound JSON of another kind', 200, undefined, { pets: [faultCanary] }),
  empty: plain('a 200 with an empty body', 200, jsonHeaders),
  gzip: text('compressed, though nobody asked for it', 200, {
    ...jsonHeaders,
    'content-encoding': 'gzip',
  }),
};

function answer(
  does: string,
  status: number,
  error: JsonObject | undefined,
  body: JsonObject = {},
  retryAfter?: string,
): FaultResponse {
  const filled = { message: '', type: 'invalid_request_error', param: null, code: null, ...error };
  const whole = { ...(error && { error: filled }), ...body };
  const reply = () => {
    const sound = toJsonReply(status, whole);
    if (retryAfter === undefined) return sound;
    return { ...sound, headers: { ...sound.headers, 'retry-after': retryAfter } };
  };
  return { does, reply };
}

function page(does: string, status: number): FaultResponse {
  const html = `<!doctype html><html><body><h1>${status}</h1><p>${faultCanary}</p></body></html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  return { does, reply: () => toReply({ status, headers, pieces: [html] }) };
}

function text(
  does: string,
  status: number,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/plain' },
): FaultResponse {
  const pieces = [`{"id":"${faultCanary}","choices":[{"index":0,"mess`];
  return { does, reply: () => toReply({ status, headers, pieces }) };
}

function plain(
  does: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): FaultResponse {
  return { does, reply: () => toReply({ status, headers, pieces: [] }) };
}
