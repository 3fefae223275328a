import type { Frame, JsonObject } from '#lib/demo/models/reply.ts';
import { faultCanary } from '../fault-canary.ts';

/** A content fault: other frames in a stream, or another body. */
export type FaultFrames = Readonly<{
  description: string;
  frames: (frames: readonly Frame[]) => readonly Frame[];
  body: (body: JsonObject) => JsonObject;
}>;

const error = { message: `Provider ${faultCanary} disconnected`, type: 'server_error', code: 502 };
const sameBody = (body: JsonObject) => body;

/** Content faults, by the name after `fault/`. */
export const faultFrames: Readonly<Record<string, FaultFrames>> = {
  'mid-stream-error': {
    description: 'sends an error event half-way; without a stream, an error in a 200',
    frames: (frames) => [...firstHalf(frames), toErrorFrame(frames)],
    body: () => ({ error }),
  },
  'mid-stream-error-choices': {
    description: 'the same in an otherwise valid chunk, or as response.failed',
    frames: (frames) => [...firstHalf(frames), toFailedFrame(frames)],
    body: (body) => ({ ...body, error }),
  },
  'no-usage': {
    description: 'leaves out usage',
    frames: (frames) =>
      frames
        .filter(({ data }) => !isUsageChunk(data))
        .map((frame) => mapData(frame, (data) => withoutUsage(data))),
    body: withoutUsage,
  },
  'no-finish': {
    description: 'ends without a finish reason or a terminal event',
    frames: (frames) => frames.filter(({ data }) => !isTerminal(data)),
    body: (body) => mapChoices(body, (choice) => ({ ...choice, finish_reason: null })),
  },
  'no-done': {
    description: 'ends without [DONE]',
    frames: (frames) => frames.filter(({ data }) => data !== '[DONE]'),
    body: sameBody,
  },
  'no-role': {
    description: 'leaves out the role',
    frames: (frames) => frames.slice(isChat(frames) ? 1 : 0),
    body: (body) =>
      mapChoices(body, ({ message, ...rest }) => ({ ...rest, message: withoutRole(message) })),
  },
  'error-null': {
    description: 'puts error: null into every chunk',
    frames: (frames) => frames.map((frame) => mapData(frame, (data) => ({ ...data, error: null }))),
    body: (body) => ({ ...body, error: null }),
  },
  'unknown-events': {
    description: 'puts unknown events between the others',
    frames: (frames) =>
      frames.flatMap((frame) => [
        { event: 'keepalive', data: { type: 'keepalive', note: faultCanary } },
        frame,
      ]),
    body: sameBody,
  },
  'after-done': {
    description: 'sends further frames after the end',
    frames: (frames) => [...frames, ...frames.slice(0, 3)],
    body: sameBody,
  },
  'empty-reply': {
    description: 'sends a reply without text',
    frames: (frames) => frames.filter(({ data }) => !isText(data)),
    body: (body) =>
      mapChoices(body, ({ message, ...rest }) => ({ ...rest, message: withoutText(message) })),
  },
};

function firstHalf(frames: readonly Frame[]): readonly Frame[] {
  return frames.slice(0, Math.ceil(frames.length / 2));
}

function isChat(frames: readonly Frame[]): boolean {
  return frames[0]?.event === null;
}

function isMessages(frames: readonly Frame[]): boolean {
  return frames[0]?.event === 'message_start';
}

const messagesErrorFrame: Frame = {
  event: 'error',
  data: { type: 'error', error: { type: 'api_error', message: error.message } },
};

function toErrorFrame(frames: readonly Frame[]): Frame {
  if (isChat(frames)) return { event: null, data: { error } };
  if (isMessages(frames)) return messagesErrorFrame;
  const sequence = firstHalf(frames).length;
  return {
    event: 'error',
    data: { ...error, type: 'error', param: null, sequence_number: sequence },
  };
}

function toFailedFrame(frames: readonly Frame[]): Frame {
  if (isMessages(frames)) return messagesErrorFrame;
  const first = frames[0]?.data;
  const opened = typeof first === 'object' ? first : {};
  const sequence = firstHalf(frames).length;
  if (isChat(frames)) {
    const choices = [{ index: 0, delta: { content: '' }, finish_reason: 'error' }];
    return { event: null, data: { ...opened, choices, error } };
  }
  const response = { ...toObject(opened.response), status: 'failed', error };
  return {
    event: 'response.failed',
    data: { type: 'response.failed', response, sequence_number: sequence },
  };
}

function mapData(frame: Frame, change: (data: JsonObject) => JsonObject): Frame {
  return frame.data === '[DONE]' ? frame : { ...frame, data: change(frame.data) };
}

function mapChoices(body: JsonObject, change: (choice: JsonObject) => JsonObject): JsonObject {
  if (body.type === 'message') return { ...body, content: [] };
  if (!Array.isArray(body.choices)) return { ...body, status: 'in_progress', output: [] };
  return { ...body, choices: body.choices.map(toObject).map(change) };
}

function withoutUsage({ usage: _, ...rest }: JsonObject): JsonObject {
  if (!('response' in rest)) return rest;
  const { usage: __, ...response } = toObject(rest.response);
  return { ...rest, response };
}

function isUsageChunk(data: Frame['data']): boolean {
  return data !== '[DONE]' && Array.isArray(data.choices) && data.choices.length === 0;
}

function isTerminal(data: Frame['data']): boolean {
  if (data === '[DONE]') return true;
  if (/^response\.(completed|incomplete)$|^message_(delta|stop)$/.test(String(data.type)))
    return true;
  const choice = Array.isArray(data.choices) ? toObject(data.choices[0]) : {};
  return isUsageChunk(data) || typeof choice.finish_reason === 'string';
}

function isText(data: Frame['data']): boolean {
  if (data === '[DONE]') return false;
  if (data.type === 'response.output_text.delta') return true;
  if (data.type === 'content_block_delta') return true;
  const choice = Array.isArray(data.choices) ? toObject(data.choices[0]) : {};
  return toObject(choice.delta).content !== undefined && !('role' in toObject(choice.delta));
}

function withoutRole(message: unknown): JsonObject {
  return { content: toObject(message).content };
}

function withoutText(message: unknown): JsonObject {
  return { ...toObject(message), content: '' };
}

export function toObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
