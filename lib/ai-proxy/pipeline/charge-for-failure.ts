import { type TokenUsage, toEstimatedUsage } from '../metering/token-usage.ts';
import type { ProxyError } from '../proxy-error.ts';

export type FailedCall = Readonly<{
  error: ProxyError;
  wasSent: boolean;
  promptTokensEstimate: number;
}>;

/**
 * The cost of a call that failed before its reply: nothing if the upstream reported a failure, but the prompt if it
 * was sent and its outcome is unknown.
 */
export function chargeForFailure(failed: FailedCall): TokenUsage | null {
  const { error, wasSent, promptTokensEstimate } = failed;
  const isUnanswered =
    error.code === 'upstream_timeout' || /^(?:the connection broke|cut)/.test(error.reason ?? '');
  return wasSent && isUnanswered ? toEstimatedUsage(promptTokensEstimate, 0) : null;
}
