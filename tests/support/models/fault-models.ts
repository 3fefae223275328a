import type { ModelRequest } from '#lib/demo/models/model-server.ts';
import { type Frame, type Reply, toJsonReply, toStreamReply } from '#lib/demo/models/reply.ts';
import { connectionFaults } from './connection-faults.ts';
import { type FaultFrames, faultFrames, toObject } from './fault-frames.ts';
import { faultResponses } from './fault-responses.ts';
import type { FaultyReply } from './faulty-reply.ts';

const prefix = 'fault/';

/** The description of every fault by name. */
export const faultTable: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...faultResponses, ...faultFrames, ...connectionFaults }).map(
    ([name, { description }]) => [name, description],
  ),
);

/**
 * Replies as a model of the demo, changed by the fault that the model's name requests: `fault/400`,
 * `fault/slow:300`. The reply to another request is unchanged.
 */
export function replyWithFault(
  request: ModelRequest,
  handle: (request: ModelRequest) => Reply,
): FaultyReply {
  const model = toObject(request.body).model;
  const [name = '', amount] = toFaultName(model).split(':');
  if (!Object.hasOwn(faultTable, name)) return handle(request);
  const demoModel =
    request.path === '/embeddings' ? 'lantern-demo/embed-large' : 'lantern-demo/wick-3';
  const body = { ...toObject(request.body), model: demoModel };
  const reply = renameModel(handle({ ...request, body }), demoModel, String(model));
  return reply.status === 200 ? applyFault(name, reply, toAmount(amount)) : reply;
}

/** The reply with a fault. @param amount the number after the name. */
export function applyFault(name: string, reply: Reply, amount?: number): FaultyReply {
  const response = faultResponses[name];
  if (response) return response.reply();
  const frames = faultFrames[name];
  if (frames) return changeContent(reply, frames);
  return connectionFaults[name]?.change(reply, amount) ?? reply;
}

function changeContent(reply: Reply, { frames, body }: FaultFrames): Reply {
  const pieces = [...reply.pieces].map(String);
  return isStream(reply)
    ? toStreamReply(frames(pieces.map(toFrame)))
    : toJsonReply(200, body(JSON.parse(pieces.join(''))));
}

function isStream({ headers }: Reply): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false;
}

function toFrame(piece: string): Frame {
  const [, event = null, data = ''] = /^(?:event: (.*)\n)?data: (.*)\n\n$/.exec(piece) ?? [];
  return { event, data: data === '[DONE]' ? data : JSON.parse(data) };
}

function renameModel(reply: Reply, from: string, to: string): Reply {
  const pieces = [...reply.pieces].map((piece) =>
    String(piece).replaceAll(`"model":"${from}"`, `"model":"${to}"`),
  );
  return { ...reply, pieces };
}

function toFaultName(model: unknown): string {
  return typeof model === 'string' && model.startsWith(prefix) ? model.slice(prefix.length) : '';
}

function toAmount(text: string | undefined): number | undefined {
  const amount = Number(text);
  return Number.isFinite(amount) ? amount : undefined;
}
