import { toResponsesUsage } from '#lib/spend/usage/token-usage.ts';
import { doneFrame } from '../../stream/sse-frame.ts';
import { createRelay, type StreamRelay } from '../../stream/stream-relay.ts';
import { createReplyReader, type ReplyWriter } from '../chat/read-reply.ts';
import { createEventWriter } from '../responses/event-writer.ts';
import type { ResponsesRequest } from '../responses/read-request.ts';
import { createResponseObject, type ResponseIdentity } from '../responses/response-object.ts';
import { toChatTools } from './chat-tools.ts';
import { type NewId, toFinalStatus } from './output-item.ts';
import { createReplyItems } from './reply-items.ts';

export type TranslatorOptions = ResponseIdentity &
  Readonly<{
    newId: NewId;
    /** Unix time in seconds, read when the response is complete. */
    now: () => number;
  }>;

/** Translates a chat stream to the Responses stream of a request. */
export function createResponsesTranslator(
  request: ResponsesRequest,
  options: TranslatorOptions,
): StreamRelay {
  return createRelay((closing) =>
    createReplyReader(
      createResponsesWriter(request, options),
      request.promptTokensEstimate,
      closing,
    ),
  );
}

function createResponsesWriter(
  request: ResponsesRequest,
  { newId, now, ...identity }: TranslatorOptions,
): ReplyWriter {
  const writer = createEventWriter();
  const items = createReplyItems(writer, newId, toChatTools(request).identify);
  let response = createResponseObject(request, identity);
  return {
    begin(model) {
      if (model !== '') response = { ...response, model };
      const fields = `"response":${JSON.stringify(response)}`;
      return (
        writer.writeText('response.created', fields) +
        writer.writeText('response.in_progress', fields)
      );
    },
    addText: (text) => items.addText({ kind: 'text', text }),
    addRefusal: (text) => items.addText({ kind: 'refusal', text }),
    addReasoning: items.addReasoning,
    addCall: items.addCall,
    get isUnclear() {
      return items.isUnclear;
    },
    finish: items.finish,
    complete(reason, tokens) {
      const { status, incompleteDetails } = toFinalStatus(reason);
      const final = {
        ...response,
        status,
        completed_at: status === 'completed' ? now() : null,
        incomplete_details: incompleteDetails,
        output: items.toOutput(),
        usage: toResponsesUsage(tokens.usage),
      };
      return writer.write(`response.${status}`, { response: final }) + doneFrame;
    },
    writeFailure(error, tokens) {
      const usage = tokens.reported && toResponsesUsage(tokens.reported);
      return writer.writeFailure(error, { ...response, output: items.toOutput(), usage });
    },
  };
}
