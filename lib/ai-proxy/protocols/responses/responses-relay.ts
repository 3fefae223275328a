import type { EventSourceMessage } from 'eventsource-parser';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { readResponsesUsage } from '#lib/spend/usage/read-usage.ts';
import { toResponsesUsage } from '#lib/spend/usage/write-usage.ts';
import {
  doneFrame,
  mayPassOn,
  type RelayContext,
  type RelayCore,
  StreamRelay,
  toEventType,
} from '../../stream/stream-relay.ts';
import { toUpstreamFailure } from '../../upstreams/errors/reported-error.ts';
import {
  createCutFailure,
  createOverflowFailure,
} from '../../upstreams/errors/upstream-failure.ts';
import { keepSource } from '../json/source-text.ts';
import { pieceKinds } from './event-types.ts';
import { createEventWriter } from './event-writer.ts';
import { itemsMax } from './item-log.ts';
import { RelayedItems } from './relayed-items.ts';
import {
  createResponseObject,
  type ResponseIdentity,
  readEnd,
  repairResponseObject,
  type ToClientItem,
  toShownUsage,
} from './response-object.ts';
import type { ResponsesRequest } from './responses-request.ts';

/**
 * Relays a Responses stream. Deltas are forwarded unchanged, and so are events of unknown types; the few events with
 * objects are completed. Deltas of items that are not open are dropped, since clients cannot handle them; a text that belongs
 * to none begins a message.
 * @param identity used if the upstream's response has no id or time
 */
export function createResponsesRelay(
  request: ResponsesRequest,
  identity: ResponseIdentity,
  toClientItem: ToClientItem,
): StreamRelay {
  return new StreamRelay(
    request.promptTokensEstimate,
    (context) => new ResponsesRelay(createResponseObject(request, identity), toClientItem, context),
  );
}

class ResponsesRelay implements RelayCore {
  readonly #context: RelayContext;
  readonly #writer = createEventWriter();
  readonly #items: RelayedItems;
  #response: JsonObject;
  #isBegun = false;
  /** It has failed without a reason, which Azure sends in an event of its own. */
  #awaitsReason = false;

  /** @param response at its start */
  constructor(response: JsonObject, toClientItem: ToClientItem, context: RelayContext) {
    this.#response = response;
    this.#context = context;
    this.#items = new RelayedItems({
      writer: this.#writer,
      toClientItem,
      context,
      responseId: () => String(this.#response.id),
    });
  }

  replyId(): string | null {
    return this.#isBegun ? String(this.#response.id) : null;
  }

  push(event: JsonObject, { event: name, data }: EventSourceMessage): string {
    const type = toEventType(event, name);
    this.takeUsage(event);
    const kind = pieceKinds.get(type);
    if (kind !== undefined) return this.#begin({}) + this.#items.takePiece(kind, event, data);
    keepSource(event, data);
    const response = toJsonObject(event.response);
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.#begin(response);
      case 'response.done':
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.#takeEnd(type, event);
      case 'error':
        return this.#fail(event.error ?? event);
      case 'response.output_item.added':
      case 'response.output_item.done':
        return this.#begin({}) + this.#items.take(type, event, data.length);
      default:
        if (!type.startsWith('response.') || !mayPassOn(type, event)) return '';
        return this.#begin({}) + this.#items.takeUnknown(type, event, data);
    }
  }

  /** @returns whether the event reports usage */
  takeUsage(event: JsonObject): boolean {
    const reported = readResponsesUsage(toJsonObject(event.response)) ?? readResponsesUsage(event);
    this.#context.tokens.report(reported);
    return reported !== null;
  }

  end(): string {
    return this.#awaitsReason ? this.#fail(null) : this.#context.fail(createCutFailure());
  }

  /** The reply ends here: open items are closed as far as they have been received. */
  endByLength(): string {
    return (
      this.#begin({}) +
      this.#items.closeAll() +
      this.#finish('incomplete', {
        response: { incomplete_details: { reason: 'max_output_tokens' } },
      })
    );
  }

  writeFailure(error: HttpError): string {
    const beginning = this.#begin({});
    const { reported } = this.#context.tokens;
    const usage = reported && toResponsesUsage(reported);
    const failed = { ...this.#response, output: this.#items.toOutput(), usage };
    return beginning + this.#writer.writeFailure(error, failed);
  }

  #begin(received: JsonObject): string {
    if (this.#isBegun) return '';
    this.#isBegun = true;
    const repaired = repairResponseObject(received, this.#response);
    const response = {
      ...repaired,
      status: 'in_progress',
      error: null,
      output: [],
      usage: null,
    };
    this.#response = response;
    return (
      this.#writer.write('response.created', { response }) +
      this.#writer.write('response.in_progress', { response })
    );
  }

  #takeEnd(type: string, event: JsonObject): string {
    const { tokens } = this.#context;
    const received = toJsonObject(event.response);
    const output = toJsonArray(received.output);
    if (output.length > itemsMax) return this.#context.fail(createOverflowFailure());
    const named = type.slice('response.'.length);
    // OpenRouter ends some by `response.done`.
    const isNamed = named === 'incomplete' || named === 'failed';
    const end = readEnd({ ...received, status: isNamed ? named : received.status });
    const items = end === 'failed' ? '' : this.#begin({}) + this.#items.takeRest(output);
    this.#items.countUnseen(output);
    // What the same event has is part of it.
    if (this.takeUsage(event)) tokens.markComplete();
    if (end !== 'failed') return items + this.#finish(end, event);
    const error = received.error ?? event.error ?? null;
    this.#awaitsReason = error === null;
    return error === null ? '' : this.#fail(error);
  }

  #fail(reported: unknown): string {
    const { tokens, fail } = this.#context;
    return fail(toUpstreamFailure(reported, tokens.replyBytes));
  }

  #finish(status: 'completed' | 'incomplete', event: JsonObject): string {
    const { tokens, close } = this.#context;
    close();
    const { type: _, sequence_number: __, error: ___, ...rest } = event;
    const received = toJsonObject(event.response);
    const output = toJsonArray(received.output);
    const response = {
      ...repairResponseObject(received, this.#response),
      id: this.#response.id,
      status,
      output: output.length === 0 ? this.#items.toOutput() : this.#items.toFinal(output),
      usage: toShownUsage(tokens.usage, received.usage),
    };
    return this.#writer.write(`response.${status}`, { ...rest, response }) + doneFrame;
  }
}
