import { type TokenUsage, toEstimatedUsage } from '../metering/token-usage.ts';
import type { ProxyError } from '../proxy-error.ts';

export type FailedCall = Readonly<{
  error: ProxyError;
  wasSent: boolean;
  promptTokensEstimate: number;
}>;

/**
 * What a call cost that has failed before its reply: nothing if the upstream says that it failed, but the
 * prompt if it was sent and nobody knows what became of it.
 */
export function chargeForFailure(failed: FailedCall): TokenUsage | null {
  const { error, wasSent, promptTokensEstimate } = failed;
  const isUnanswered =
    error.code === 'upstream_timeout' || /^(?:the connection broke|cut)/.test(error.reason ?? '');
  return wasSent && isUnanswered ? toEstimatedUsage(promptTokensEstimate, 0) : null;
}
