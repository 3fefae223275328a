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
export type Said =
  | Readonly<{ isStream: true; frames: readonly Frame[] }>
  | Readonly<{ isStream: false; body: JsonObject }>;

const prefix = 'fault/';

/** The description of every fault by name, for documentation and tests. */
export const faultTable: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...faultResponses, ...faultFrames, ...connectionFaults }).map(
    ([name, { does }]) => [name, does],
  ),
);

/** Whether a model's name is that of a known fault: `fault/400`, `fault/slow:300`. */
export function isFaultModel(model: string): boolean {
  return model.startsWith(prefix) && Object.hasOwn(faultTable, toName(model));
}

/** The reply, changed by the fault that the model's name requests. */
export function toModelReply(model: string, said: Said): Reply {
  if (!model.startsWith(prefix)) return toSoundReply(said);
  const name = toName(model);
  const answer = faultResponses[name];
  if (answer) return answer.reply();
  const frames = faultFrames[name];
  const sound = toSoundReply(frames ? spoil(said, frames) : said);
  return connectionFaults[name]?.change(sound, toAmount(model)) ?? sound;
}

/** A connection or response fault on anything but chat and Responses. */
export function toFaultyReply(name: string, sound: Reply): Reply {
  const answer = faultResponses[name];
  return answer ? answer.reply() : (connectionFaults[name]?.change(sound, undefined) ?? sound);
}

function spoil(said: Said, { frames, body }: FaultFrames): Said {
  return said.isStream
    ? { isStream: true, frames: frames(said.frames) }
    : { isStream: false, body: body(said.body) };
}

function toSoundReply(said: Said): Reply {
  if (!said.isStream) return toJsonReply(200, said.body);
  return toReply({ status: 200, headers: streamHeaders, pieces: said.frames.map(toFrameText) });
}

function toName(model: string): string {
  return model.slice(prefix.length).split(':')[0] ?? '';
}

function toAmount(model: string): number | undefined {
  const amount = Number(model.split(':')[1]);
  return Number.isFinite(amount) ? amount : undefined;
}
