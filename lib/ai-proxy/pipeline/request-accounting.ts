import { channels } from '#lib/telemetry/channels.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { Reservation } from '../limits/limits.ts';
import type { TokenUsage } from '../metering/token-usage.ts';
import type { UsageMeter } from '../metering/usage-meter.ts';
import { type GenerationObserver, observeGeneration } from './observe-generation.ts';

/** Settles one request's reservation and writes its one usage record. */
export type RequestAccounting = Readonly<{
  observer: Omit<GenerationObserver, 'end'>;
  /** Call it as soon as the body has been read. */
  setRequest: (request: Readonly<{ model: string; isStreamed: boolean }>) => void;
  /** Call it before each attempt. */
  setUpstream: (name: string) => void;
  setReservation: (reservation: Reservation) => void;
  /** Call it when the first byte of the reply is sent; later calls do nothing. */
  markFirstByte: () => void;
  /** Adds what an attempt cost that has failed. */
  addCharge: (usage: TokenUsage | null) => void;
  /**
   * Ends the request with the status that the client got; only the first call counts.
   * @param usage null: it cost nothing.
   */
  settle: (status: number, usage: TokenUsage | null) => void;
}>;

export type AccountingOptions = Readonly<{
  meter: Pick<UsageMeter, 'record'>;
  toCostUsd: (model: string, tokensIn: number, tokensOut: number) => number | null;
  /** Unix time in ms. */
  now: () => number;
}>;

export function createRequestAccounting(
  { meter, toCostUsd, now }: AccountingOptions,
  key: Pick<ApiKey, 'id'>,
  endpoint: string,
): RequestAccounting {
  const at = now();
  const startedAt = performance.now();
  let request = { model: '', isStreamed: false };
  let upstream: string | null = null;
  let reservation: Reservation | null = null;
  let firstByteMs: number | null = null;
  let isSettled = false;
  const charges: TokenUsage[] = [];
  const observer = observeGeneration(endpoint);

  function toCost(): number | null {
    const known = charges
      .map(
        ({ costUsd, inputTokens, outputTokens }) =>
          costUsd ?? toCostUsd(request.model, inputTokens, outputTokens),
      )
      .filter((cost) => cost !== null);
    return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost);
  }

  return {
    observer,
    setRequest(given) {
      request = given;
    },
    setUpstream(name) {
      upstream = name;
      observer.startAttempt(name);
    },
    setReservation(given) {
      reservation = given;
      channels.reservations.publish(1);
    },
    markFirstByte() {
      firstByteMs ??= performance.now() - startedAt;
    },
    addCharge(usage) {
      if (usage !== null) charges.push(usage);
    },
    settle(status, usage) {
      if (isSettled) return;
      isSettled = true;
      if (usage !== null) charges.push(usage);
      const tokensIn = charges.reduce((sum, { inputTokens }) => sum + inputTokens, 0);
      const tokensOut = charges.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
      if (charges.length === 0) reservation?.release();
      else reservation?.settle(tokensIn + tokensOut);
      if (reservation !== null) channels.reservations.publish(-1);
      const durationMs = performance.now() - startedAt;
      observer.end({ status, durationMs, firstChunkMs: firstByteMs, tokensIn, tokensOut });
      meter.record({
        keyId: key.id,
        ...{ endpoint, upstream },
        ...request,
        ...{ at, status, tokensIn, tokensOut, firstByteMs },
        isEstimated: charges.some(({ isEstimated }) => isEstimated),
        costUsd: toCost(),
        durationMs,
      });
    },
  };
}
