import type { z } from 'zod';

/** A rejected request, with the message that OpenAI would send. */
export type RequestError = Readonly<{
  status: number;
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}>;

export type ParseResult<Value> =
  | Readonly<{ ok: true; value: Value }>
  | Readonly<{ ok: false; error: RequestError }>;

/** The first problem of a body, with its path: `messages[0].content`. */
export function toRequestError(error: z.ZodError): RequestError {
  const issue = error.issues[0];
  const param = toParam(issue?.path ?? []);
  return {
    status: 400,
    message:
      param === ''
        ? 'We could not parse the JSON body of your request.'
        : `Invalid value for '${param}': ${issue?.message ?? 'it cannot be read'}.`,
    type: 'invalid_request_error',
    param: param === '' ? null : param,
    code: null,
  };
}

function toParam(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
