import type { JsonObject } from '../json/json-value.ts';
import type { Ending } from './ending.ts';

/**
 * One item of a reply that comes in pieces, as the events of a Responses stream: opened once, closed once.
 * What is added before it is opened waits; what is added after it was closed is dropped.
 */
export type ReplyItem = {
  /** Whether enough is known of it to open it. */
  readonly isReady: boolean;
  /** Whether it may be closed as soon as another item follows it. */
  readonly isWhole: boolean;
  open(outputIndex: number): string;
  close(status: Ending['status']): string;
  /** The item as far as it has come: `incomplete` until it is closed. */
  toItem(): JsonObject;
};
