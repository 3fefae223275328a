import { setTimeout as sleep } from 'node:timers/promises';
import type PQueue from 'p-queue';

/** Jobs that may wait for each queue; requests beyond that get the placeholder. */
const queuedMax = 500;

class QueueFullError extends Error {}

/** @throws QueueFullError */
export async function enqueue<T>(queue: PQueue, work: () => Promise<T>): Promise<T> {
  if (queue.size >= queuedMax) throw new QueueFullError();
  return queue.add(work);
}

/** Undefined if the queue is full. */
export async function unlessBusy<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof QueueFullError) return undefined;
    throw error;
  }
}

/** Undefined after the timeout. The work continues, for the next request. */
export function waitAtMost<T>(work: Promise<T>, timeMs: number): Promise<T | undefined> {
  work.catch(() => {});
  return Promise.race([work, sleep(timeMs, undefined, { ref: false })]);
}
