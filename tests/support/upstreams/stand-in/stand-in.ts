import type { IncomingMessage, ServerResponse } from 'node:http';
import { eventStream, startRawUpstream } from '../raw-upstream.ts';
import { type ChatForm, chatFailure, toChatChunks, toChatResult } from './chat-form.ts';
import { type MessagesForm, messagesFailure, toMessage, toMessageEvents } from './messages-form.ts';
import type { Fields, StandInEvent, StandInReply } from './reply.ts';
import {
  type ResponsesForm,
  responsesFailure,
  toResponseEvents,
  toResponseObject,
} from './responses-form.ts';

export type StandInProtocol = 'chat' | 'responses' | 'messages';

/** A request for a reply, as it came. */
export type StandInRequest = Readonly<{ protocol: StandInProtocol; body: Fields }>;

export type StandInForms = Readonly<{
  chat?: ChatForm;
  responses?: ResponsesForm;
  messages?: MessagesForm;
}>;

const paths: Readonly<Record<string, StandInProtocol>> = {
  '/chat/completions': 'chat',
  '/responses': 'responses',
  '/messages': 'messages',
};

export function findProtocol(path: string): StandInProtocol | null {
  return paths[path] ?? null;
}

/** Sends a reply in the protocol of its request, as JSON or in a stream. */
export function sendReply(
  response: ServerResponse,
  { protocol, body }: StandInRequest,
  reply: StandInReply,
  forms: StandInForms = {},
): void {
  if (body.stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(writers[protocol].toJson(reply, body, forms)));
    return;
  }
  response.writeHead(200, eventStream);
  const { toEvents, failure, end } = writers[protocol];
  const events = toEvents(reply, body, forms);
  const { breaksWith } = reply;
  if (breaksWith === undefined) {
    response.end(events.map(({ data }) => toFrame(data)).join('') + end);
    return;
  }
  const firstText = events.findIndex(({ isText }) => isText);
  for (const { data } of events.slice(0, firstText + 2)) response.write(toFrame(data));
  if (breaksWith === 'error') response.end(toFrame(failure));
}

type Writer = Readonly<{
  toJson: (reply: StandInReply, body: Fields, forms: StandInForms) => Fields;
  toEvents: (reply: StandInReply, body: Fields, forms: StandInForms) => readonly StandInEvent[];
  failure: Fields;
  /** After the last event. */
  end: string;
}>;

const writers: Readonly<Record<StandInProtocol, Writer>> = {
  chat: {
    toJson: (reply, body, { chat = {} }) => toChatResult(reply, body, chat),
    toEvents: (reply, body, { chat = {} }) => toChatChunks(reply, body, chat),
    failure: chatFailure,
    end: 'data: [DONE]\n\n',
  },
  responses: {
    toJson: (reply, body, { responses = {} }) => toResponseObject(reply, body, responses),
    toEvents: (reply, body, { responses = {} }) => toResponseEvents(reply, body, responses),
    failure: responsesFailure,
    end: '',
  },
  messages: {
    toJson: (reply, body, { messages = {} }) => toMessage(reply, body, messages),
    toEvents: (reply, body, { messages = {} }) => toMessageEvents(reply, body, messages),
    failure: messagesFailure,
    end: '',
  },
};

/** Chat Completions have no names of events. */
function toFrame(data: Fields): string {
  const { type } = data;
  const event = type === undefined ? '' : `event: ${String(type)}\n`;
  return `${event}data: ${JSON.stringify(data)}\n\n`;
}

/** Starts a server of all three protocols, which keeps what it gets; it stops with the scope. */
export async function startStandIn(
  toReply: (request: StandInRequest) => StandInReply,
  forms: StandInForms = {},
) {
  const requests: StandInRequest[] = [];
  const respond = (response: ServerResponse, { url = '' }: IncomingMessage, body: string) => {
    const protocol = findProtocol(url.replace(/^\/v1/, ''));
    if (protocol === null) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [] }));
      return;
    }
    const request = { protocol, body: JSON.parse(body) };
    requests.push(request);
    sendReply(response, request, toReply(request), forms);
  };
  return { ...(await startRawUpstream(respond)), requests };
}
