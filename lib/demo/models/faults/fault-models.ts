import {
  type Frame,
  type JsonObject,
  type Reply,
  streamHeaders,
  toFrameText,
  toJsonReply,
  toReply,
} from '../reply.ts';
import { connectionFaults } from './connection-faults.ts';
import { type FaultFrames, faultFrames } from './fault-frames.ts';
import { faultResponses } from './fault-responses.ts';

/** A normal reply before it is serialized, as frames or as a body. */
export type PlainReply =
  | Readonly<{ isStream: true; frames: readonly Frame[] }>
  | Readonly<{ isStream: false; body: JsonObject }>;

const prefix = 'fault/';

/** The description of every fault by name, for documentation and tests. */
export const faultTable: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...faultResponses, ...faultFrames, ...connectionFaults }).map(
    ([name, { description }]) => [name, description],
  ),
);

/** Whether a model's name is that of a known fault: `fault/400`, `fault/slow:300`. */
export function isFaultModel(model: string): boolean {
  return model.startsWith(prefix) && Object.hasOwn(faultTable, toName(model));
}

/** The reply, changed by the fault that the model's name requests. */
export function toModelReply(model: string, plain: PlainReply): Reply {
  if (!model.startsWith(prefix)) return serialize(plain);
  const name = toName(model);
  const response = faultResponses[name];
  if (response) return response.reply();
  const frames = faultFrames[name];
  const reply = serialize(frames ? applyFault(plain, frames) : plain);
  return connectionFaults[name]?.change(reply, toAmount(model)) ?? reply;
}

/** A connection or response fault on anything but chat and Responses. */
export function toFaultyReply(name: string, reply: Reply): Reply {
  const response = faultResponses[name];
  return response ? response.reply() : (connectionFaults[name]?.change(reply, undefined) ?? reply);
}

function applyFault(plain: PlainReply, { frames, body }: FaultFrames): PlainReply {
  return plain.isStream
    ? { isStream: true, frames: frames(plain.frames) }
    : { isStream: false, body: body(plain.body) };
}

function serialize(plain: PlainReply): Reply {
  if (!plain.isStream) return toJsonReply(200, plain.body);
  return toReply({ status: 200, headers: streamHeaders, pieces: plain.frames.map(toFrameText) });
}

function toName(model: string): string {
  return model.slice(prefix.length).split(':')[0] ?? '';
}

function toAmount(model: string): number | undefined {
  const amount = Number(model.split(':')[1]);
  return Number.isFinite(amount) ? amount : undefined;
}
