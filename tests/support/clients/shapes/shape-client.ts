import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import type { Fields } from '../../upstreams/stand-in/reply.ts';
import {
  imagePrompt,
  prompt,
  thinkPrompt,
  tripPrompt,
  tripSchema,
  weatherPrompt,
  weatherTool,
} from '../client-fixtures.ts';
import { type Access, type Library, watchWeather } from '../libraries/library.ts';
import { postJson } from '../post-json.ts';
import { conversations, type ReadReply, type ShapeApi, toFields } from './conversation.ts';

/** What an agent’s request is made from. */
export type ShapeRequest = Readonly<{
  model: string;
  /** In the API’s own form. */
  turns: readonly Fields[];
  /** JSON Schema of a structured output. */
  schema?: Fields;
}>;

/** The requests of an agent, as recorded or by its source. */
export type Shape = Readonly<{
  client: string;
  api: ShapeApi;
  headers?: Readonly<Record<string, string>>;
  toBody: (request: ShapeRequest) => Fields;
  /** The turns that show a picture. */
  toPictureTurns: (prompt: string) => readonly Fields[];
  /** Fields of its own in a reply that comes back. */
  toReturned?: (turn: Fields, thinking: string) => Fields;
  /** The tool, in place of the API’s own field, by which it gets structured outputs; null: it gets none. */
  outputTool?: string | null;
}>;

/** What the matrix asks of a client. */
export type MatrixClient = Pick<
  Library,
  'client' | 'documented' | 'api' | 'stream' | 'runTools' | 'think' | 'look'
> &
  Readonly<{ planTrip: Library['planTrip'] | null }>;

/** A request that failed, or a stream that did. */
export class ShapeError extends Error {}

/** A client that sends what an agent sends, and reads streams by the rules of their API. */
export function createShapeClient(shape: Shape): MatrixClient {
  const conversation = conversations[shape.api];
  const { outputTool } = shape;

  async function* readEvents(access: Access, request: ShapeRequest, signal?: AbortSignal) {
    const url = access.url + conversation.path;
    const init = { headers: { ...shape.headers }, ...(signal && { signal }) };
    const response = await postJson(url, access.key, shape.toBody(request), init);
    if (!response.ok || response.body === null) throw new ShapeError(await response.text());
    let isComplete = false;
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { event, data } of events) {
      isComplete ||= conversation.isEnd(data);
      yield { event, data, fields: data === '[DONE]' ? {} : toFields(JSON.parse(data)) };
    }
    if (!isComplete) throw new ShapeError('The stream has no end.');
  }

  async function send(access: Access, turns: readonly Fields[], schema?: Fields) {
    const { model = '' } = access;
    let stream = '';
    let thinking = '';
    const request = { model, turns, ...(schema && { schema }) };
    for await (const { event, data, fields } of readEvents(access, request)) {
      stream += `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;
      thinking += conversation.readEvent(fields).thinking ?? '';
    }
    const reply = conversation.readReply(stream);
    if (reply.problems.length > 0) throw new ShapeError(reply.problems.join('\n'));
    return toReturnedReply(shape, { ...reply, thinking });
  }

  return {
    client: shape.client,
    documented: 'Shape',
    api: shape.api,
    async *stream(access, model, signal) {
      const request = { model, turns: [conversation.toUserTurn(prompt)] };
      for await (const { fields } of readEvents(access, request, signal)) {
        const { text, error } = conversation.readEvent(fields);
        if (error !== undefined) throw new ShapeError(String(error));
        if (typeof text === 'string') yield text;
      }
    },
    async runTools(access, _isStream, question = weatherPrompt) {
      const { cities, run } = watchWeather();
      let turns = [conversation.toUserTurn(question)];
      for (;;) {
        const { text, calls, turns: replied } = await send(access, turns);
        if (calls.length === 0) return { cities, text };
        const outputs = calls.map((call) =>
          run(weatherTool.schema.parse(JSON.parse(call.arguments))),
        );
        turns = [...turns, ...replied, ...conversation.toResultTurns(calls, outputs)];
      }
    },
    async think(access) {
      const { text, thinking } = await send(access, [conversation.toUserTurn(thinkPrompt)]);
      return { text, thinking };
    },
    look: async (access) => (await send(access, shape.toPictureTurns(imagePrompt))).text,
    planTrip:
      outputTool === null
        ? null
        : async (access) => {
            const turns = [conversation.toUserTurn(tripPrompt)];
            const { text, calls } = await send(access, turns, z.toJSONSchema(tripSchema));
            const call = calls.find(({ name }) => name === outputTool);
            return JSON.parse(call?.arguments ?? text);
          },
  };
}

function toReturnedReply({ toReturned }: Shape, reply: ReadReply): ReadReply {
  if (toReturned === undefined) return reply;
  const turns = reply.turns.map((turn) => toReturned(turn, reply.thinking));
  return { ...reply, turns };
}
