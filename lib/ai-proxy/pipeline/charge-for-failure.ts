import type { HttpError } from '#lib/http/errors/errors.ts';
import { type TokenUsage, toEstimatedUsage } from '#lib/spend/usage/token-usage.ts';

export type FailedCall = Readonly<{
  error: HttpError;
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
