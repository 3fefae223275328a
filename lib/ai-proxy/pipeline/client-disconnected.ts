import { HttpError } from '#lib/http/errors/errors.ts';

/** The status in logs and usage records for a client that disconnected early (nginx's number). */
export const clientDisconnectedStatus = 499;

/** Ends the request; no client is left to read it. */
export function createClientDisconnectedError(): HttpError {
  return new HttpError(clientDisconnectedStatus, {
    code: 'client_closed_request',
    message: 'The client closed the connection before the response was complete.',
  });
}
