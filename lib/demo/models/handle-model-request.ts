import { type DemoModel, demoModels, toModelRecord } from './catalog.ts';
import { createCompletion } from './completion/completion.ts';
import type { Conversation } from './completion/conversation.ts';
import { type ResponseMeta, toChatFrames, toChatResult } from './protocols/chat-format.ts';
import { toMessagesFrames, toMessagesResult } from './protocols/messages-format.ts';
import { parseChatRequest } from './protocols/parse-chat-request.ts';
import { parseMessagesRequest } from './protocols/parse-messages-request.ts';
import { parseResponsesRequest } from './protocols/parse-responses-request.ts';
import type { RequestError } from './protocols/request-error.ts';
import { toResponsesFrames, toResponsesResult } from './protocols/responses-format.ts';
import { type JsonObject, type Reply, toJsonReply, toStreamReply } from './reply.ts';

export type Api = 'chat' | 'responses' | 'messages';

const apis = {
  chat: { parse: parseChatRequest, toFrames: toChatFrames, toResult: toChatResult },
  responses: {
    parse: parseResponsesRequest,
    toFrames: toResponsesFrames,
    toResult: toResponsesResult,
  },
  messages: {
    parse: parseMessagesRequest,
    toFrames: toMessagesFrames,
    toResult: toMessagesResult,
  },
} as const;

/** Handles a request of any API: a generated reply, or an error. */
export function handleGeneration(
  api: Api,
  body: unknown,
  meta: Pick<ResponseMeta, 'id' | 'createdAt'>,
): Reply {
  const { parse, toFrames, toResult } = apis[api];
  const parsed = parse(body);
  const fail = (error: RequestError) => toErrorReply(error, api);
  if (!parsed.ok) return fail(parsed.error);
  const conversation = parsed.value;
  const model = demoModels.find(({ id, kind }) => id === conversation.model && kind === 'language');
  if (model === undefined) return fail(toUnknownModel(conversation.model));
  if (conversation.promptTokens > model.contextLength) {
    return fail(toTooLong(conversation, model, api));
  }
  const completion = createCompletion(conversation, model.name);
  const completionMeta = { ...meta, model: conversation.model, request: toObject(body) };
  return conversation.isStream
    ? toStreamReply(toFrames(completion, completionMeta, conversation))
    : toJsonReply(200, toResult(completion, completionMeta));
}

/** The list of models of a kind, in OpenRouter's format. */
export function handleModelList(kind: DemoModel['kind']): Reply {
  const models = demoModels.filter((model) => model.kind === kind);
  const paging = { total_count: models.length, links: { next: null } };
  return toJsonReply(200, { data: models.map(toModelRecord), ...paging });
}

/** Counts the tokens of a prompt. */
export function handleCountTokens(body: unknown): Reply {
  const parsed = parseMessagesRequest(body);
  if (!parsed.ok) return toErrorReply(parsed.error, 'messages');
  return toJsonReply(200, { input_tokens: parsed.value.promptTokens });
}

/** An error in the format of the API. */
export function toErrorReply({ status, ...error }: RequestError, api: Api = 'chat'): Reply {
  if (api !== 'messages') return toJsonReply(status, { error });
  const { message, type } = error;
  return toJsonReply(status, { type: 'error', error: { type, message } });
}

function toObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function toUnknownModel(id: string): RequestError {
  return {
    status: 404,
    message: `The model '${id}' does not exist.`,
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_found',
  };
}

function toTooLong({ promptTokens }: Conversation, model: DemoModel, api: Api): RequestError {
  return {
    status: 400,
    message: `This model's maximum context length is ${model.contextLength} tokens, but the prompt has ${promptTokens}.`,
    type: 'invalid_request_error',
    param: api === 'responses' ? 'input' : 'messages',
    code: 'context_length_exceeded',
  };
}
