import type { ModelRequest } from './billing-upstream.ts';

/** An error response, as these servers have sent it (the texts stand in bug reports about them). */
type Rejection = Readonly<{ status: number; body: object }>;

type Message = Readonly<{ role: string; content: unknown }>;

/** Of each kind of server, what it rejects first in a chat request; null: it takes the request. */
export type StrictServer = (request: ModelRequest) => Rejection | null;

const messagesOf = (request: ModelRequest) => request.messages as readonly Message[];
const hasCacheMarks = (request: ModelRequest) =>
  JSON.stringify(request).includes('"cache_control":');

/** Names the first message of a role that it does not know. */
const deepSeek: StrictServer = (request) => {
  const start = 'Failed to deserialize the JSON body into the target type: ';
  const reject = (status: number, text: string): Rejection => {
    const type = 'invalid_request_error';
    const message = `${start}${text} at line 1 column 85`;
    return { status, body: { error: { message, type, param: null, code: type } } };
  };
  const messages = messagesOf(request);
  const developer = messages.findIndex(({ role }) => role === 'developer');
  if (developer >= 0) {
    const roles = 'expected one of `system`, `user`, `assistant`, `tool`';
    return reject(400, `messages[${developer}].role: unknown variant \`developer\`, ${roles}`);
  }
  const known = ['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'tools'];
  const unknown = findUnknown(request, [...known, 'tool_choice', 'reasoning_effort']);
  return unknown === undefined
    ? null
    : reject(422, `unknown field \`${unknown}\`, expected one of \`messages\`, \`model\``);
};

/** Lists everything that it does not know, with the values; then ids of calls that are not like its own. */
const mistral: StrictServer = (request) => {
  const known = ['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'tools'];
  const taken = [...known, 'tool_choice', 'parallel_tool_calls', 'reasoning_effort'];
  const type = 'extra_forbidden';
  const msg = 'Extra inputs are not permitted';
  const fields = Object.keys(request).filter((name) => !taken.includes(name));
  const inMessages = messagesOf(request).flatMap(({ role, content }, at) =>
    JSON.stringify(content).includes('"cache_control":')
      ? [
          {
            type: 'string_type',
            loc: ['body', 'messages', at, role, 'content', 'str'],
            msg: 'Input should be a valid string',
            input: content,
          },
          {
            type,
            loc: ['body', 'messages', at, role, 'content', 'list', 0, 'text', 'cache_control'],
            msg,
            input: { type: 'ephemeral' },
          },
        ]
      : [],
  );
  const inFields = fields.map((name) => ({ type, loc: ['body', name], msg, input: request[name] }));
  const detail = [...inMessages, ...inFields];
  const id = findCallIds(request).find((own) => !/^[a-zA-Z0-9]{9}$/.test(own));
  if (detail.length === 0 && id !== undefined) {
    const message = `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`;
    const error = { object: 'error', message, type: 'invalid_function_call', code: '3280' };
    return { status: 400, body: error };
  }
  const body = {
    object: 'error',
    message: { detail },
    type: 'invalid_request_error',
    param: null,
    code: null,
  };
  return detail.length === 0 ? null : { status: 422, body };
};

/** Names one field at a time, those of messages in a sentence of their own. */
const groq: StrictServer = (request) => {
  const reject = (message: string): Rejection => ({
    status: 400,
    body: { error: { message, type: 'invalid_request_error' } },
  });
  const marked = messagesOf(request).findIndex(({ content }) =>
    JSON.stringify(content ?? '').includes('"cache_control":'),
  );
  if (marked >= 0) {
    const { role } = messagesOf(request)[marked] as Message;
    const of = `'messages.${marked}'`;
    return reject(
      `${of} : for 'role:${role}' the following must be satisfied[(${of} : property 'cache_control' is unsupported)]`,
    );
  }
  if (hasCacheMarks(request)) return reject("property 'cache_control' is unsupported");
  const known = ['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'tools', 'user'];
  const unknown = findUnknown(request, [
    ...known,
    'tool_choice',
    'parallel_tool_calls',
    'reasoning_effort',
    'service_tier',
  ]);
  if (unknown === undefined) return null;
  const hint = unknown === 'verbosity' ? ", did you mean 'verbose'?" : '';
  return reject(`property '${unknown}' is unsupported${hint}`);
};

/** Quotes the first one's path in a list of Python. */
const vllm: StrictServer = (request) => {
  const known = ['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'tools', 'user'];
  const unknown = findUnknown(request, [...known, 'tool_choice', 'reasoning_effort']);
  if (unknown === undefined) return null;
  const input = JSON.stringify(request[unknown]).replaceAll('"', "'");
  const error = `'type': 'extra_forbidden', 'loc': ('body', '${unknown}')`;
  const message = `[{${error}, 'msg': 'Extra inputs are not permitted', 'input': ${input}}]`;
  const type = 'BadRequestError';
  return { status: 400, body: { object: 'error', message, type, param: null, code: 400 } };
};

/** A decoder of Go that allows no unknown fields, as proxies before Ollama have it. */
const ollama: StrictServer = (request) => {
  const known = ['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'tools'];
  const unknown = findUnknown(request, [...known, 'tool_choice', 'reasoning_effort', 'user']);
  if (unknown === undefined) return null;
  const message = `json: unknown field "${unknown}"`;
  const error = { message, type: 'invalid_request_error', param: null, code: null };
  return { status: 400, body: { error } };
};

function findCallIds(request: ModelRequest): readonly string[] {
  type Called = Readonly<{ tool_calls?: readonly { id: string }[]; tool_call_id?: string }>;
  return (request.messages as readonly Called[]).flatMap(
    ({ tool_calls: calls, tool_call_id: id }) => [
      ...(calls ?? []).map((call) => call.id),
      ...(id === undefined ? [] : [id]),
    ],
  );
}

function findUnknown(request: ModelRequest, known: readonly string[]): string | undefined {
  return Object.keys(request).find((name) => !known.includes(name));
}

export const strictServers = { deepSeek, mistral, groq, vllm, ollama } as const;
