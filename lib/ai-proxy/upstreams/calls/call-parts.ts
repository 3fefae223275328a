import type { Dispatcher } from 'undici';
import type { HttpError } from '#lib/http/errors/errors.ts';
import type { Admission } from '../breakers.ts';
import type { Failure } from '../errors/failure.ts';

/** What one call of an upstream needs. */
export type CallParts = Readonly<{
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  options: Dispatcher.DispatchOptions & { method: 'GET' | 'POST' };
  admission: Admission;
  /** Nothing is sent before it resolves, with what is to be called at the end. Null: nothing is to be waited for. */
  admitted: Promise<() => void> | null;
  totalMs: number;
  now: () => number;
  /** `error`: why it failed. */
  onDone: (health: Failure['health'], error: HttpError | null) => void;
}>;
