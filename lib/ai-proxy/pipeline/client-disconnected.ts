import { ProxyError } from '../proxy-error.ts';

/** The status in logs and usage records for a client that disconnected early (nginx's number). */
export const clientDisconnectedStatus = 499;

/** Ends the request; no client is left to read it. */
export function createClientDisconnectedError(): ProxyError {
  return new ProxyError(clientDisconnectedStatus, {
    type: 'invalid_request_error',
    code: 'client_closed_request',
    message: 'The client closed the connection before the response was complete.',
  });
}
