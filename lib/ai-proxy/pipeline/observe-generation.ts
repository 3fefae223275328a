import type { HttpError } from '#lib/http/errors/errors.ts';
import type { UsageRecord } from '#lib/spend/ledger/usage-record.ts';
import { channels, type UpstreamCalled } from '#lib/telemetry/channels.ts';
import { type OpenSpan, startSpan } from '#lib/telemetry/spans.ts';
import { toClientCode } from '../error-response.ts';
import { clientDisconnectedStatus } from '../upstreams/errors/upstream-failure.ts';

/** Publishes the attempts and the outcome of one request, for metrics and traces. */
export type GenerationObserver = Readonly<{
  /** @param id of the model list; null: it is not listed. Clients may write anything. */
  setModel: (id: string | null) => void;
  startAttempt: (upstream: string) => void;
  /** The reply has begun, or the attempt has failed. */
  endAttempt: (failure: HttpError | null) => void;
  /** The request failed before any attempt. */
  reject: (error: HttpError) => void;
  /** The stream broke off after its 200. */
  markBroken: () => void;
  /** A call is settled. */
  end: (record: UsageRecord) => void;
}>;

/** @param endpoint its name in usage records. */
export function observeGeneration(endpoint: string): GenerationObserver {
  let model = 'other';
  let upstream: string | null = null;
  let isCalling = false;
  let isBroken = false;
  // As OpenTelemetry names them; the route has the protocol.
  const operation = endpoint === 'embeddings' ? endpoint : 'chat';
  /** Of the attempt: from the call of the upstream to the end of the reply. */
  let span: OpenSpan | null = null;
  return {
    setModel(id) {
      model = id ?? 'other';
    },
    startAttempt(name) {
      upstream = name;
      isCalling = true;
      const attributes = {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': name,
        'gen_ai.request.model': model,
      };
      span = startSpan(`${operation} ${model}`, { kind: 'client', attributes });
    },
    endAttempt(failure) {
      // The next one may not have been called: nothing could be reserved for it.
      if (upstream === null || !isCalling) return;
      isCalling = false;
      const outcome = toOutcome(failure);
      channels.upstreamCalled.publish({ upstream, model, outcome });
      if (failure === null) return;
      span?.end({}, outcome);
      span = null;
    },
    reject(error) {
      if (upstream !== null) return;
      const { status } = error;
      channels.proxyRequestRejected.publish({ endpoint, status, code: toClientCode(error) });
    },
    markBroken() {
      isBroken = true;
    },
    end({ status, durationMs, firstByteMs: firstChunkMs, tokensIn, tokensOut }) {
      if (upstream === null) return;
      const error = isBroken ? 'stream_failed' : toErrorType(status);
      const result = { durationMs, firstChunkMs, tokensIn, tokensOut };
      channels.generationDone.publish({ operation, upstream, model, error, ...result });
      span?.end(
        {
          'gen_ai.usage.input_tokens': tokensIn,
          'gen_ai.usage.output_tokens': tokensOut,
        },
        error,
      );
    },
  };
}

function toErrorType(status: number): string | null {
  if (status === clientDisconnectedStatus) return 'client_disconnected';
  return status < 400 ? null : String(status);
}

function toOutcome(failure: HttpError | null): UpstreamCalled['outcome'] {
  if (failure === null) return 'ok';
  const { status } = failure;
  if (status === clientDisconnectedStatus) return 'disconnected';
  if (status === 429) return 'rate-limited';
  if (status === 504) return 'timed-out';
  return status >= 500 ? 'failed' : 'rejected';
}
