import { parseBudget } from '#lib/config/budget.ts';
import {
  imagePrompt,
  loopPrompt,
  prompt,
  thinkPrompt,
  trip,
  tripPrompt,
  weatherAnswer,
  weatherPrompt,
  weatherTool,
} from '../clients/client-fixtures.ts';
import type { Access } from '../clients/libraries/library.ts';
import { readRequest } from '../upstreams/stand-in/read-request.ts';
import type { StandInReply } from '../upstreams/stand-in/reply.ts';
import { type StandInRequest, startStandIn } from '../upstreams/stand-in/stand-in.ts';
import { startProxyWith } from './in-process-proxy.ts';

/** The protocols of each kind of upstream. */
export const matrixUpstreams = {
  'chat only': ['chat'],
  'native Responses': ['chat', 'responses'],
  'native Messages': ['chat', 'messages'],
  'Responses alone': ['responses'],
  'Messages alone': ['messages'],
} as const;

export type MatrixUpstream = keyof typeof matrixUpstreams;

export const replies = {
  text: 'Hello, wörld 😀 of tides.',
  thinking: 'The moon pulls, so the water follows.',
  picture: 'A transparent pixel.',
  loop: 'Both are at 22 °C.',
} as const;

const firstCall = { id: 'call_1', name: weatherTool.name, input: { city: 'Lisbon' } };
const secondCall = { id: 'call_2', name: weatherTool.name, input: { city: 'Oslo' } };
export const calls = [firstCall, secondCall] as const;
export const results = calls.map(({ id, input }) => ({ id, text: weatherTool.run(input) }));

/**
 * The proxy before one stand-in under several names, which replies to the prompts of the fixtures. Its key has a budget
 * in dollars, with which most can go wrong.
 */
export async function startMatrixProxy() {
  let breaksWith: StandInReply['breaksWith'];
  // As vLLM sends it: some clients read the one field, some the other.
  const toReasoning = (text: string) => ({ reasoning: text, reasoning_content: text });
  const standIn = await startStandIn((request) => toReply(request, breaksWith), {
    chat: { toReasoning },
  });
  const proxy = await startProxyWith(toFile(standIn.url));
  const { text: key } = await proxy.makeKey({ budget: parseBudget('500 USD/day') });
  return {
    standIn,
    /** By a model that seems to be one of the client’s own vendor: some clients send less to others. */
    toAccess(upstream: MatrixUpstream, api: string) {
      const { url, baseUrl } = proxy;
      const model = toModel(api === 'messages' ? claude : gpt, upstream);
      return { url, baseUrl, key, model } satisfies Access;
    },
    /** What the stand-in has got since it was asked last. */
    takeRequests: () => standIn.requests.splice(0).map(readProtocol),
    setBreak(kind: StandInReply['breaksWith']) {
      breaksWith = kind;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await standIn[Symbol.asyncDispose]();
    },
  };
}

function readProtocol(request: StandInRequest) {
  return { protocol: request.protocol, ...readRequest(request) };
}

const gpt = 'gpt-5-mini';
const claude = 'claude-sonnet-4-5';

function toModel(vendor: string, upstream: string): string {
  return `${vendor}-${upstream.replace(' ', '-').toLowerCase()}`;
}

function toFile(url: string): object {
  const upstreams = Object.entries(matrixUpstreams).map(([name, protocols]) => {
    return { name: toModel('stand-in', name), url, keyEnv: 'UPSTREAM_KEY', protocols };
  });
  const models = Object.keys(matrixUpstreams).map((name) => ({
    id: toModel(gpt, name),
    aliases: [toModel(claude, name)],
    targets: [{ upstream: toModel('stand-in', name) }],
    prices: { inputPerMillion: 1, outputPerMillion: 10 },
  }));
  return { upstreams, models };
}

function toReply(request: StandInRequest, breaksWith: StandInReply['breaksWith']): StandInReply {
  const { prompt: text, results, toolNames, schema } = readRequest(request);
  if (text.includes(weatherPrompt)) {
    return results.length === 0 ? { calls } : { text: weatherAnswer };
  }
  if (text.includes(loopPrompt)) return toLoopReply(results.length);
  if (text.includes(thinkPrompt)) return { thinking: replies.thinking, text: replies.text };
  if (text.includes(imagePrompt)) return { text: replies.picture };
  if (text.includes(tripPrompt)) return toTripReply(schema === null ? toolNames.at(-1) : undefined);
  if (!text.includes(prompt)) throw new TypeError(`An unknown prompt: ${text}`);
  return { text: replies.text, ...(breaksWith && { breaksWith }) };
}

/** It thinks before its first call. */
function toLoopReply(results: number): StandInReply {
  if (results === 0) return { thinking: replies.thinking, calls: [firstCall] };
  return results === 1 ? { text: 'And now Oslo.', calls: [secondCall] } : { text: replies.loop };
}

/** @param tool by which the client gets structured outputs */
function toTripReply(tool: unknown): StandInReply {
  if (tool === undefined) return { text: JSON.stringify(trip) };
  return { calls: [{ id: 'call_1', name: String(tool), input: trip }] };
}
