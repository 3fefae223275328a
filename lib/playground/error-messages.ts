import type { ReplyError } from './reply-event.ts';

/** An error for people: what happened, what to do, and where to read on. */
export type ErrorMessage = Readonly<{ title: string; advice: string; address: string }>;

type Words = readonly [title: string, advice: string];

const wordsByCode: Readonly<Record<string, Words>> = {
  invalid_api_key: [
    'The key was not taken',
    'Check that it is whole and begins with mq_, or ask for a new one.',
  ],
  model_not_allowed: ['The key may not use this model', 'Pick another model from the table.'],
  model_not_found: ['There is no such model', 'Pick one from the table above.'],
  context_length_exceeded: [
    'The conversation is too long for this model',
    'Begin a new one, or pick a model that reads more.',
  ],
  request_too_large: ['That is too much text', 'Send less of it.'],
  rate_limit_exceeded: ['Too many requests for this minute', 'Wait a moment, then send it again.'],
  insufficient_quota: [
    'The key has spent its tokens for today',
    'It gets new ones at midnight UTC.',
  ],
  server_misconfigured: [
    'This site has no models behind it yet',
    'Whoever runs it has to name a service that has some.',
  ],
  server_is_overloaded: ['The models are busy', 'Try again in a minute.'],
  upstream_timeout: ['The model took too long', 'Try a shorter question, or another model.'],
  upstream_error: ['The models’ service failed', 'It is not about your request. Try again.'],
  stream_cut: ['The reply broke off', 'What came so far is above. Send it again for the rest.'],
  no_answer: ['No answer came', 'Check that you are online, and send it again.'],
};

const sections: ReadonlySet<string> = new Set(
  Object.keys(wordsByCode).filter((code) => code !== 'stream_cut' && code !== 'no_answer'),
);

/** What to tell people about an error, by its code, else by its status. */
export function toErrorMessage({ status, code, message }: ReplyError): ErrorMessage {
  const known = Object.hasOwn(wordsByCode, code ?? '') ? wordsByCode[code ?? ''] : undefined;
  const [title, advice] = known ?? toWordsByStatus(status, message);
  const anchor = sections.has(code ?? '') ? `#${code}` : '#the-ai-proxy';
  return { title, advice, address: `/docs/errors${anchor}` };
}

/** What counts as the error where no answer came at all. */
export const noAnswer: ReplyError = {
  status: 0,
  code: 'no_answer',
  message: 'No answer came.',
};

function toWordsByStatus(status: number, message: string): Words {
  if (status === 400) return ['The request was not understood', message];
  if (status === 404) return ['This site has no AI proxy', 'Whoever runs it has not set one up.'];
  if (status >= 500) return ['Something failed on the way to the model', 'Try again in a minute.'];
  return ['The request was refused', message];
}
