import { type JsonObject, jsonHeaders, type Reply, toJsonReply } from '#lib/demo/models/reply.ts';
import { faultCanary } from '../fault-canary.ts';

/** A fault that is a complete response, the same in both APIs, streamed or not. */
export type FaultResponse = Readonly<{ description: string; reply: () => Reply }>;

// Texts of upstream errors that clients may see, and texts that they may not.
const invalidValue = `Invalid value for 'temperature': at most 1 for this model. See https://${faultCanary}.example/help with sk-${faultCanary}-0123456789.`;
const tooLong = `This model's maximum context length is 4096 tokens, but 5000 were requested (request req_011${faultCanary}).`;

/** Response faults, by the name after `fault/`. */
export const faultResponses: Readonly<Record<string, FaultResponse>> = {
  400: json('an error with a param, and a link and a key in its message', 400, {
    message: invalidValue,
    param: 'temperature',
  }),
  '400-account': json('an error about the account', 400, {
    message: `Your organization ${faultCanary} has no access to this parameter; check its billing.`,
  }),
  '400-context': json('the prompt is too long, in OpenAI’s format', 400, {
    message: tooLong,
    param: 'messages',
    code: 'context_length_exceeded',
  }),
  '400-context-number': json('the same with a numeric code, as OpenRouter sends it', 400, {
    message: tooLong,
    code: 400,
    metadata: { provider_name: faultCanary, raw: faultCanary },
  }),
  '400-key': json('our key is wrong, as a 400', 400, {
    message: `API key not valid: ${faultCanary}. Please pass a valid API key.`,
  }),
  '400-html': page('an error page of an intermediary', 400),
  '400-text': text('an error that is not JSON', 400),
  401: json('our key is wrong', 401, {
    message: `Incorrect API key provided: sk-${faultCanary}.`,
    code: 'invalid_api_key',
  }),
  402: json('our credit is spent', 402, { message: `Insufficient credits on ${faultCanary}` }),
  403: json('our account has no permission', 403, { message: `Not for ${faultCanary}` }),
  404: json('the upstream does not know the model', 404, {
    message: `The model does not exist or you (${faultCanary}) do not have access to it.`,
    param: 'model',
    code: 'model_not_found',
  }),
  '404-html': page('the URL is wrong', 404),
  408: json('the upstream waited too long for us', 408, { message: faultCanary }),
  409: json('a conflict', 409, { message: faultCanary }),
  413: page('the body is too large for an intermediary', 413),
  422: json('an error in another format: a list of details', 422, undefined, {
    detail: [{ loc: ['body', 'messages'], msg: faultCanary }],
  }),
  429: json('too many requests, without a Retry-After', 429, { message: faultCanary }),
  '429-wait': json('too many requests, with a Retry-After of 7 s', 429, {}, {}, '7'),
  '429-short': json('too many requests, with a Retry-After of 1 s', 429, {}, {}, '1'),
  '429-quota': json('our quota is spent, as a 429', 429, {
    message: `You exceeded your current quota, ${faultCanary}`,
    code: 'insufficient_quota',
  }),
  500: json('an internal error', 500, { message: faultCanary, type: 'server_error' }),
  502: page('an intermediary cannot connect', 502),
  503: json('overloaded, with a Retry-After of 3 s', 503, { message: faultCanary }, {}, '3'),
  504: page('an intermediary timed out', 504),
  524: page('the same from Cloudflare', 524),
  529: json('overloaded, as Anthropic sends it', 529, { message: faultCanary }),
  204: plain('a response without a body', 204, {}),
  302: plain('a redirect', 302, { location: `http://${faultCanary}.example/` }),
  html: page('a login page in place of JSON', 200),
  '200-error': json('an error in a 200', 200, { message: faultCanary, code: 500 }),
  '200-429': json('too many requests, in a 200', 200, { message: faultCanary, code: 429 }),
  'broken-json': text('JSON that stops in the middle', 200, jsonHeaders),
  'wrong-shape': json('valid JSON of another shape', 200, undefined, { pets: [faultCanary] }),
  empty: plain('a 200 with an empty body', 200, jsonHeaders),
  gzip: text('compressed without being requested', 200, {
    ...jsonHeaders,
    'content-encoding': 'gzip',
  }),
};

function json(
  description: string,
  status: number,
  error: JsonObject | undefined,
  body: JsonObject = {},
  retryAfter?: string,
): FaultResponse {
  const filled = { message: '', type: 'invalid_request_error', param: null, code: null, ...error };
  const whole = { ...(error && { error: filled }), ...body };
  const reply = () => {
    const plainReply = toJsonReply(status, whole);
    if (retryAfter === undefined) return plainReply;
    return { ...plainReply, headers: { ...plainReply.headers, 'retry-after': retryAfter } };
  };
  return { description, reply };
}

function page(description: string, status: number): FaultResponse {
  const html = `<!doctype html><html><body><h1>${status}</h1><p>${faultCanary}</p></body></html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  return { description, reply: () => ({ status, headers, pieces: [html] }) };
}

function text(
  description: string,
  status: number,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/plain' },
): FaultResponse {
  const pieces = [`{"id":"${faultCanary}","choices":[{"index":0,"mess`];
  return { description, reply: () => ({ status, headers, pieces }) };
}

function plain(
  description: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): FaultResponse {
  return { description, reply: () => ({ status, headers, pieces: [] }) };
}
