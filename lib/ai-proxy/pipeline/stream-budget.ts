import type { Reservation } from '#lib/spend/limits/limits.ts';

export type StreamBudget = Readonly<{
  /**
   * Whether the stream may go on after this many tokens, prompt and reply together. If not, `onDecision` is called
   * once that is decided.
   */
  mayContinue: (tokensUsed: number) => boolean;
  isDeciding: () => boolean;
}>;

export type StreamBudgetOptions = Readonly<{
  reservation: Pick<Reservation, 'tokens' | 'extend'>;
  onDecision: (decision: 'continue' | 'end') => void;
  /** The decision has failed, or what followed it. */
  onError: (error: unknown) => void;
}>;

/** How many more tokens are reserved at a time. */
export const stepTokens = 256;

/** Counts a stream while it runs: beyond its reservation it goes on step by step, as far as the budget lasts. */
export function createStreamBudget(options: StreamBudgetOptions): StreamBudget {
  const { reservation, onDecision, onError } = options;
  let reserved = reservation.tokens;
  let isDeciding = false;
  let isSpent = false;

  async function extend(tokensUsed: number): Promise<void> {
    isDeciding = true;
    // A vendor's prompt count may be far above our estimate.
    const granted = await reservation.extend(tokensUsed - reserved + stepTokens);
    reserved += granted;
    isDeciding = false;
    isSpent = reserved <= tokensUsed;
    onDecision(isSpent ? 'end' : 'continue');
  }

  return {
    mayContinue(tokensUsed) {
      if (tokensUsed < reserved) return true;
      if (!isDeciding && !isSpent) extend(tokensUsed).catch(onError);
      return false;
    },
    isDeciding: () => isDeciding,
  };
}
