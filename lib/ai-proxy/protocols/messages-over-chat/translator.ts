import { toEstimatedUsage, toMessagesUsage } from '#lib/spend/usage/token-usage.ts';
import { createRelay, type StreamRelay } from '../../stream/stream-relay.ts';
import { createReplyReader, type ReplyWriter } from '../chat/read-reply.ts';
import { toMessagesFailure, toMessagesFrame } from '../messages/event-writer.ts';
import { createMessageObject } from '../messages/message-object.ts';
import type { MessagesRequest } from '../messages/read-request.ts';
import { createReplyBlocks, type NewId } from './reply-blocks.ts';
import { type Stop, toStop } from './stop-reason.ts';

export type MessagesTranslatorOptions = Readonly<{
  /** Of the message. */
  id: string;
  newId: NewId;
}>;

/** Translates a chat stream to the Messages stream of a request. */
export function createMessagesTranslator(
  request: MessagesRequest,
  options: MessagesTranslatorOptions,
): StreamRelay {
  return createRelay((closing) =>
    createReplyReader(
      createMessagesWriter(request, options),
      request.promptTokensEstimate,
      closing,
    ),
  );
}

function createMessagesWriter(
  { model: requestedModel, options, promptTokensEstimate }: MessagesRequest,
  { id, newId }: MessagesTranslatorOptions,
): ReplyWriter {
  const blocks = createReplyBlocks(newId);
  const isShown = showsThinking(options);
  let stop: Stop = { stopReason: 'end_turn', stopSequence: null };
  return {
    begin(model) {
      const message = createMessageObject({
        ...{
          id,
          model: model || requestedModel,
          content: [],
          stopReason: null,
          stopSequence: null,
        },
        // The count comes with the end of the stream; clients then replace this one.
        usage: toEstimatedUsage(promptTokensEstimate, 0),
      });
      return toMessagesFrame('message_start', { message }) + toMessagesFrame('ping');
    },
    addText: blocks.addText,
    // There is no place for refusals but text and the stop reason.
    addRefusal: blocks.addText,
    addReasoning: (piece) => (isShown ? blocks.addReasoning(piece) : ''),
    addCall: blocks.addCall,
    get isUnclear() {
      return blocks.isUnclear;
    },
    finish(reason, choice) {
      const { hasCalls } = blocks;
      stop = toStop(reason, { hasCalls, choice, stopSequences: options.stop_sequences ?? [] });
      return blocks.finish(reason);
    },
    complete(_, tokens) {
      const delta = { stop_reason: stop.stopReason, stop_sequence: stop.stopSequence };
      return (
        toMessagesFrame('message_delta', { delta, usage: toMessagesUsage(tokens.usage) }) +
        toMessagesFrame('message_stop')
      );
    },
    writeFailure: (error) => toMessagesFailure(error),
  };
}

/** Clients that turned thinking off do not expect its blocks. */
export function showsThinking({ thinking }: MessagesRequest['options']): boolean {
  return thinking?.type !== 'disabled';
}
