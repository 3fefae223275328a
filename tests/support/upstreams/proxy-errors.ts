import { type HttpError, isHttpError } from '#lib/http/errors/errors.ts';

/** Returns the HttpError that a call throws; fails the test otherwise. */
export function thrownBy(call: () => unknown): HttpError {
  try {
    call();
  } catch (error) {
    if (isHttpError(error)) return error;
    throw error;
  }
  throw new Error('It did not throw.');
}

/** Returns the HttpError of a rejected promise; fails the test otherwise. */
export async function rejectedWith(call: () => Promise<unknown>): Promise<HttpError> {
  try {
    await call();
  } catch (error) {
    if (isHttpError(error)) return error;
    throw error;
  }
  throw new Error('It did not reject.');
}

/** A request body: an object as JSON, a string unchanged. */
export function toBody(content: unknown): Uint8Array {
  return new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
}
