import type { ApiKey } from '../keys/api-key.ts';
import type { Reservation } from '../limits/limits.ts';
import type { TokenUsage } from '../metering/token-usage.ts';
import type { UsageMeter } from '../metering/usage-meter.ts';

/** What one request came to. It is closed once, and writes one usage record. */
export type Ledger = Readonly<{
  /** What was asked for, as soon as it is known. */
  describe: (asked: Readonly<{ model: string; isStreamed: boolean }>) => void;
  /** Tokens were set aside for it. */
  hold: (reservation: Reservation) => void;
  /** The first byte of the reply is on its way. */
  begin: () => void;
  /**
   * The request is over, with the status that its caller got.
   * @param usage null: it cost nothing.
   */
  close: (status: number, usage: TokenUsage | null) => void;
}>;

export type LedgerParts = Readonly<{
  meter: Pick<UsageMeter, 'record'>;
  toCostUsd: (model: string, tokensIn: number, tokensOut: number) => number | null;
  /** Unix time in ms. */
  now: () => number;
}>;

export function openLedger(
  { meter, toCostUsd, now }: LedgerParts,
  key: Pick<ApiKey, 'id'>,
  endpoint: string,
): Ledger {
  const at = now();
  const startedAt = performance.now();
  let asked = { model: '', isStreamed: false };
  let reservation: Reservation | null = null;
  let firstByteMs: number | null = null;
  let isClosed = false;
  return {
    describe(given) {
      asked = given;
    },
    hold(given) {
      reservation = given;
    },
    begin() {
      firstByteMs ??= performance.now() - startedAt;
    },
    close(status, usage) {
      if (isClosed) return;
      isClosed = true;
      const tokensIn = usage?.inputTokens ?? 0;
      const tokensOut = usage?.outputTokens ?? 0;
      if (usage === null) reservation?.release();
      else reservation?.settle(tokensIn + tokensOut);
      meter.record({
        keyId: key.id,
        endpoint,
        ...asked,
        ...{ at, status, tokensIn, tokensOut, firstByteMs },
        isEstimated: usage?.isEstimated ?? false,
        costUsd: usage === null ? null : toCostUsd(asked.model, tokensIn, tokensOut),
        durationMs: performance.now() - startedAt,
      });
    },
  };
}
