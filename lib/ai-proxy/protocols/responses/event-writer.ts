import type { HttpError } from '#lib/http/errors/errors.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import { toOpenAiError } from '../../error-response.ts';
import { doneFrame, toNamedSseFrame } from '../../stream/stream-relay.ts';
import { writeJson } from '../json/source-text.ts';

/** Writes the events of one Responses stream, and numbers them from 0. */
export type EventWriter = {
  /** The number of the next event. */
  nextNumber(): number;
  write(type: string, fields: JsonObject): string;
  /** The same for fields that are already JSON text, without braces. Type and number come first. */
  writeText(type: string, fields: string): string;
  /** Writes an event that already has the next number, unchanged. */
  pass(type: string, data: string): string;
  /** The two events and `[DONE]` with which a failed stream ends. `response` has the output so far. */
  writeFailure(error: HttpError, response: JsonObject): string;
};

export function createEventWriter(): EventWriter {
  let sequence = 0;

  function writeText(type: string, fields: string): string {
    const number = sequence++;
    const rest = fields === '' ? '' : `,${fields}`;
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${number}${rest}}\n\n`;
  }

  function write(type: string, fields: JsonObject): string {
    return writeText(type, writeJson(fields).slice(1, -1));
  }

  return {
    nextNumber: () => sequence,
    write,
    writeText,
    pass(type, data) {
      sequence++;
      return toNamedSseFrame(type, data);
    },
    writeFailure(failure, response) {
      const { type, code, message, param } = toOpenAiError(failure);
      const shown = { code: toFailedCode(failure.status, code) ?? type, message, type };
      const failed = { ...response, status: 'failed', error: shown, completed_at: null };
      return (
        // Both flat and nested: clients differ in which one they read.
        write('error', { code, message, param, error: { type, code, message, param } }) +
        write('response.failed', { response: failed }) +
        doneFrame
      );
    },
  };
}

/** After which Codex ends the turn, each in its own way. */
const finalCodes: ReadonlySet<string | null> = new Set([
  'context_length_exceeded',
  'cyber_policy',
  'insufficient_quota',
]);

/** A refused request has the code that OpenAI has for it in a stream: after any other, Codex sends it five times more. */
function toFailedCode(status: number, code: string | null): string | null {
  const isRefused = status < 500 && status !== 429;
  return isRefused && !finalCodes.has(code) ? 'invalid_prompt' : code;
}
