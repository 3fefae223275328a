import type { JsonObject } from '#lib/http/json-value.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { toResponsesUsage } from '#lib/spend/usage/write-usage.ts';
import { doneFrame, type StreamRelay } from '../../stream/stream-relay.ts';
import { findPlaces } from '../chat/citations.ts';
import {
  type ItemWriter,
  type ReplyItem,
  type ReplyPart,
  readArguments,
  toItemText,
} from '../chat/item-sequence.ts';
import { createReplyRelay, type Reply, type ReplyWriter, toReply } from '../chat/read-reply.ts';
import type { ReplyItems } from '../chat/reply-items.ts';
import { writeJson } from '../json/source-text.ts';
import { type FailedResult, mapResult, type Result } from '../read-result.ts';
import type { ReasoningMark } from '../reasoning-mark.ts';
import { createEventWriter, type EventWriter } from '../responses/event-writer.ts';
import { createResponseObject, type ResponseIdentity } from '../responses/response-object.ts';
import type { ResponsesRequest } from '../responses/responses-request.ts';
import { createIdentify, type Identify, toCallItem } from './chat-tools.ts';
import type { ClientTool } from './client-tools.ts';

/** Creates an id with a prefix: `msg_…`. */
export type NewId = (
  prefix: 'msg' | 'fc' | 'ctc' | 'call' | 'rs' | ClientTool['idPrefix'],
) => string;

export type TranslatorOptions = ResponseIdentity &
  Readonly<{
    newId: NewId;
    /** Unix time in seconds, read when the response is complete. */
    now: () => number;
    reasoning: ReasoningMark;
  }>;

/** Translates a chat stream to the Responses stream of a request. */
export function createResponsesTranslator(
  request: ResponsesRequest,
  options: TranslatorOptions,
): StreamRelay {
  return createReplyRelay(request.promptTokensEstimate, createResponsesWriter(request, options));
}

/** Converts a chat result to the response of a request. */
export function toResponse(
  read: Result | FailedResult,
  request: ResponsesRequest,
  { newId, now, reasoning, ...identity }: TranslatorOptions,
): Result | FailedResult {
  return mapResult(read, ({ result, usage }) => {
    const toItem = createToOutputItem(newId, createIdentify(request));
    const response = { ...createResponseObject(request, identity), model: result.model };
    const reply = toReply(result, {
      showsReasoning: true,
      newCallId: () => newId('call'),
      reasoning,
    });
    return { ...response, ...toEnding(reply, usage, { toItem, now }) };
  });
}

function createResponsesWriter(
  request: ResponsesRequest,
  { newId, now, reasoning, ...identity }: TranslatorOptions,
): ReplyWriter {
  const writer = createEventWriter();
  const identify = createIdentify(request);
  const toItem = createToOutputItem(newId, identify);
  let response = createResponseObject(request, identity);
  return {
    id: identity.id,
    items: createItemWriter(writer, toItem, identify),
    showsReasoning: true,
    newCallId: () => newId('call'),
    reasoning,
    begin(model) {
      if (model !== '') response = { ...response, model };
      const fields = `"response":${writeJson(response)}`;
      return (
        writer.writeText('response.created', fields) +
        writer.writeText('response.in_progress', fields)
      );
    },
    complete(reply, usage) {
      const ending = toEnding(reply, usage, { toItem, now });
      const final = { ...response, ...ending };
      return writer.write(`response.${ending.status}`, { response: final }) + doneFrame;
    },
    writeFailure(error, items, reported) {
      const usage = reported && toResponsesUsage(reported);
      return writer.writeFailure(error, { ...response, output: toOutput(items, toItem), usage });
    },
  };
}

/** What a response has besides at its end. */
function toEnding(
  { reason, items }: Reply,
  usage: TokenUsage,
  { toItem, now }: Readonly<{ toItem: ToOutputItem; now: () => number }>,
) {
  const incompleteReason = reason === 'length' ? 'max_output_tokens' : reason;
  const isCut = reason === 'length' || reason === 'content_filter';
  return {
    status: isCut ? 'incomplete' : 'completed',
    completed_at: isCut ? null : now(),
    incomplete_details: isCut ? { reason: incompleteReason } : null,
    output: toOutput(items, toItem),
    usage: toResponsesUsage(usage),
  };
}

function toOutput(items: ReplyItems, toItem: ToOutputItem): readonly JsonObject[] {
  return items.opened.map(toItem);
}

/** An item of a reply in the documented shape; what is not finished yet is `incomplete`. */
type ToOutputItem = (item: ReplyItem) => JsonObject;

function createToOutputItem(newId: NewId, identify: Identify): ToOutputItem {
  const ids = new Map<ReplyItem, string>();

  function toId(item: ReplyItem): string {
    let id = ids.get(item);
    if (id === undefined) {
      const { kind, name } = item;
      const { isCustom, clientTool } = identify(name);
      const ofCall = clientTool?.idPrefix ?? (isCustom ? 'ctc' : 'fc');
      id = newId(kind === 'call' ? ofCall : kind === 'message' ? 'msg' : 'rs');
      ids.set(item, id);
    }
    return id;
  }

  return (item) => {
    const id = toId(item);
    const status = item.status === 'complete' ? 'completed' : 'incomplete';
    if (item.kind === 'message') {
      const content = item.parts.map((part) => toContentPart(part, toAnnotations(item, part)));
      return { type: 'message', id, status, role: 'assistant', content };
    }
    if (item.kind === 'reasoning') {
      const summary = item.parts.map((part) => toContentPart(part));
      // What the client sends back in the next turn.
      return { type: 'reasoning', id, summary, encrypted_content: item.reasoning.toToken() };
    }
    const call = { id, callId: item.callId, parsed: readArguments(item), text: toItemText(item) };
    return toCallItem(identify(item.name), { ...call, status });
  };
}

function toContentPart(
  { kind, text }: ReplyPart,
  annotations: readonly JsonObject[] = [],
): JsonObject {
  if (kind === 'refusal') return { type: 'refusal', refusal: text };
  return kind === 'text'
    ? { type: 'output_text', text, annotations, logprobs: [] }
    : { type: 'summary_text', text };
}

/** The sources of a message belong to its first text. */
function toAnnotations({ parts, citations }: ReplyItem, part: ReplyPart): readonly JsonObject[] {
  if (parts.find(({ kind }) => kind === 'text') !== part) return [];
  return findPlaces(part.text, citations).map(({ citation: { url, title }, start, end }) => ({
    type: 'url_citation',
    url,
    title,
    start_index: start,
    end_index: end,
  }));
}

type PartEvents = Readonly<{ part: string; delta: string; index: string; text: string }>;

/** The events of a part, and the fields of its index and its text; the arguments of a call are no part. */
const partEvents: Readonly<Record<Exclude<ReplyPart['kind'], 'arguments'>, PartEvents>> = {
  text: { part: 'content_part', delta: 'output_text', index: 'content_index', text: 'text' },
  refusal: { part: 'content_part', delta: 'refusal', index: 'content_index', text: 'refusal' },
  reasoning: {
    part: 'reasoning_summary_part',
    delta: 'reasoning_summary_text',
    index: 'summary_index',
    text: 'text',
  },
};

/** What an item has when it is opened. */
const emptyFields: Readonly<Record<string, JsonObject>> = {
  message: { status: 'in_progress', content: [] },
  reasoning: { summary: [] },
  function_call: { status: 'in_progress', arguments: '' },
  custom_tool_call: { status: 'in_progress', input: '' },
};

function toAnnotationFields(annotation: JsonObject, index: number): string {
  return `"annotation_index":${index},"annotation":${JSON.stringify(annotation)}`;
}

type CallEvent = readonly [type: string, fields: string];

/** The input of a custom tool comes as JSON, so it is clear only at the end. */
function toInputEvents({ input }: JsonObject): CallEvent[] {
  const text = JSON.stringify(input);
  return [
    ['custom_tool_call_input.delta', `"delta":${text}`],
    ['custom_tool_call_input.done', `"input":${text}`],
  ];
}

/** The end of a call. Arguments that had no delta get one. */
function toArgumentEvents({ parts }: ReplyItem, call: JsonObject): CallEvent[] {
  const text = JSON.stringify(call.arguments);
  const done = `"name":${JSON.stringify(call.name)},"arguments":${text}`;
  const isAdded = parts.length === 0 && call.arguments !== '';
  return [
    ...(isAdded ? [['function_call_arguments.delta', `"delta":${text}`] as const] : []),
    ['function_call_arguments.done', done],
  ];
}

/** Writes items as events of a Responses stream. */
function createItemWriter(
  events: EventWriter,
  toItem: ToOutputItem,
  identify: Identify,
): ItemWriter {
  /** Where the next delta belongs, as JSON fields: deltas are by far the most frequent event. */
  let place = '';
  let itemPlace = '';
  /** Whether the open item is the call of a custom tool, or of one that OpenAI defines. */
  let isCustom = false;
  let isDefined = false;
  const write = (type: string, fields: string) =>
    events.writeText(`response.${type}`, `${place},${fields}`);
  const writeAnnotation = (fields: string) => write('output_text.annotation.added', fields);

  function writeItem(type: 'added' | 'done', { index }: ReplyItem, item: JsonObject): string {
    return events.write(`response.output_item.${type}`, { output_index: index, item });
  }

  function closeCall(item: ReplyItem, call: JsonObject): string {
    if (isDefined) return '';
    const texts = isCustom ? toInputEvents(call) : toArgumentEvents(item, call);
    return texts.map(([type, fields]) => write(type, fields)).join('');
  }

  return {
    open(item) {
      const { encrypted_content: _, ...shown } = toItem(item);
      itemPlace = `"item_id":${JSON.stringify(shown.id)},"output_index":${item.index}`;
      place = itemPlace;
      const identity = item.kind === 'call' ? identify(item.name) : null;
      isCustom = identity?.isCustom === true;
      isDefined = (identity?.clientTool ?? null) !== null;
      // What has waited in it follows in deltas.
      const empty = isDefined ? { status: 'in_progress' } : emptyFields[String(shown.type)];
      return writeItem('added', item, { ...shown, ...empty });
    },
    openPart(item, part) {
      if (part.kind === 'arguments') return '';
      const { part: name, index } = partEvents[part.kind];
      place = `${itemPlace},"${index}":${item.parts.indexOf(part)}`;
      const shown = JSON.stringify(toContentPart({ ...part, text: '' }));
      return write(`${name}.added`, `"part":${shown}`);
    },
    write(_, piece, part) {
      const delta = `"delta":${JSON.stringify(piece)}`;
      if (part.kind === 'arguments') {
        return isCustom || isDefined ? '' : write('function_call_arguments.delta', delta);
      }
      const logprobs = part.kind === 'text' ? ',"logprobs":[]' : '';
      return write(`${partEvents[part.kind].delta}.delta`, delta + logprobs);
    },
    closePart(item, part) {
      if (part.kind === 'arguments') return '';
      const { part: name, delta, text: field } = partEvents[part.kind];
      const logprobs = part.kind === 'text' ? ',"logprobs":[]' : '';
      const text = `"${field}":${JSON.stringify(part.text)}${logprobs}`;
      const annotations = toAnnotations(item, part);
      const shown = JSON.stringify(toContentPart(part, annotations));
      const done = write(`${delta}.done`, text) + write(`${name}.done`, `"part":${shown}`);
      return annotations.map(toAnnotationFields).map(writeAnnotation).join('') + done;
    },
    close(item) {
      const shown = toItem(item);
      const ending = item.kind === 'call' ? closeCall(item, shown) : '';
      return ending + writeItem('done', item, shown);
    },
  };
}
