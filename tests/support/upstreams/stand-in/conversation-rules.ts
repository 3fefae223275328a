import { anthropicError, googleError, openAiError } from '../vendor-errors.ts';
import { readRequest, toFields } from './read-request.ts';
import type { Fields } from './reply.ts';
import type { StandInRequest } from './stand-in.ts';

/** The error body for a conversation as another model has begun it; null: it goes on. */
export type ConversationRule = (request: StandInRequest) => object | null;

const idsOf = (request: StandInRequest) => readRequest(request).calls.map(({ id }) => String(id));

export const mistralRule: ConversationRule = (request) => {
  const id = idsOf(request).find((own) => !/^[a-zA-Z0-9]{9}$/.test(own));
  return id === undefined
    ? null
    : {
        object: 'error',
        message: `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`,
        type: 'invalid_function_call',
        param: null,
        code: '3280',
      };
};

export const openAiRule: ConversationRule = (request) => {
  const [max, param] =
    request.protocol === 'chat' ? [40, 'messages[1].tool_calls[0].id'] : [64, 'input[1].call_id'];
  const id = idsOf(request).find(({ length }) => length > max);
  if (id !== undefined) {
    const lengths = `Expected a string with maximum length ${max}, but got a string with length ${id.length} instead.`;
    const code = 'string_above_max_length';
    return openAiError(`Invalid '${param}': string too long. ${lengths}`, { param, code });
  }
  const { tools, reasoning_effort: effort = 'none' } = request.body;
  if (request.protocol !== 'chat' || tools === undefined || effort === 'none') return null;
  return openAiError(
    "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    { param: 'reasoning_effort' },
  );
};

export const anthropicRule: ConversationRule = (request) => {
  if (request.protocol === 'chat') return findLooseFormat(request.body);
  const isOdd = idsOf(request).some((id) => !/^[\w-]+$/.test(id));
  return isOdd
    ? anthropicError(
        "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
      )
    : null;
};

/** In chat, Anthropic takes strict schemas alone. */
function findLooseFormat({ response_format: format }: Fields): object | null {
  if (format === undefined) return null;
  const { type, json_schema: wanted } = toFields(format);
  if (type !== 'json_schema')
    return openAiError("response_format.type: Input should be 'json_schema'");
  return toFields(wanted).strict === true
    ? null
    : openAiError('response_format.json_schema.strict: Input should be True');
}

export const lmStudioRule: ConversationRule = ({ body }) =>
  toFields(body.response_format).type === 'json_object'
    ? { error: "'response_format.type' must be 'json_schema' or 'text'" }
    : null;

export const geminiRule: ConversationRule = ({ body }) => {
  const text = JSON.stringify(body.messages);
  return text.includes('"tool_calls"') && !text.includes('"thought_signature"')
    ? googleError(
        'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call `default_api:f` , position 2.',
      )
    : null;
};
