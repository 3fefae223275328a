import { ProxyError } from '../proxy-error.ts';

/** The status that logs and records give to a request whose caller did not wait (nginx's number for it). */
export const callerLeftStatus = 499;

/** Ends a request that nobody waits for any more; nobody reads it. */
export function createCallerLeft(): ProxyError {
  return new ProxyError(callerLeftStatus, {
    type: 'invalid_request_error',
    code: 'client_closed_request',
    message: 'The caller closed the connection before the answer was complete.',
  });
}
