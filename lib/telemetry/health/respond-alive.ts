import { createResponse } from '#lib/http/response.ts';

/** Responds that the process works. It leaves out what a restart would not fix. */
export function respondAlive(): Response {
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-store'],
    ],
    body: '{"status":"ok"}\n',
  });
}
