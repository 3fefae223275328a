import type { Bill } from '#lib/spend/bill.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import type { UpstreamCall } from '../upstreams/calls/upstream-call.ts';
import { UpstreamFailure } from '../upstreams/errors/upstream-failure.ts';
import { lateReplyMs } from '../upstreams/upstream.ts';

/** A call of a complete reply whose client has left, or was told that it is late. Streams are aborted then. */
type BackgroundCall = Readonly<{
  call: UpstreamCall;
  bill: Bill;
  /** Of the key. */
  owner: string;
  /** The status that the client got. */
  status: number;
  /** Reads the rest of the reply. Null: it says nothing about its usage. Rejects with an HttpError. */
  usage: Promise<TokenUsage | null>;
}>;

/** Calls that go on out of the clients' sight, so that their cost becomes known. */
export type BackgroundCalls = Readonly<{
  /** Of the owner with most calls, one too many is closed, and charged what it has reserved. */
  add: (background: BackgroundCall) => void;
  /** Closes all of them. */
  close: () => void;
}>;

const callsMax = 100;

/** @param withinMs how long they may go on */
export function createBackgroundCalls(withinMs = lateReplyMs): BackgroundCalls {
  const running = new Map<BackgroundCall, NodeJS.Timeout>();

  function end(background: BackgroundCall, usage: TokenUsage | null): void {
    const { call, bill, status } = background;
    bill.settle(status, usage);
    call.close(usage === null ? 'unknown' : 'healthy');
    clearTimeout(running.get(background));
    running.delete(background);
  }

  function fail(background: BackgroundCall, error: unknown): void {
    if (error instanceof UpstreamFailure && !error.isBillable)
      background.bill.release(background.status);
    end(background, null);
  }

  /** The last one of the owner that has most of them. */
  function endOne(): void {
    const byOwner = Map.groupBy(running.keys(), ({ owner }) => owner).values();
    const [most] = [...byOwner].toSorted((a, b) => b.length - a.length);
    const last = most?.at(-1);
    if (last !== undefined) end(last, null);
  }

  return {
    add(background) {
      background.bill.detach();
      background.usage.then(
        (usage) => end(background, usage),
        (error) => fail(background, error),
      );
      const timer = setTimeout(() => end(background, null), withinMs).unref();
      running.set(background, timer);
      if (running.size > callsMax) endOne();
    },
    close() {
      for (const background of running.keys()) end(background, null);
    },
  };
}
