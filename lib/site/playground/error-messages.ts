import type { ReplyError } from './stream-reply.ts';

/** An error for the visitor: what happened, what to do, and where to read more. */
type ErrorMessage = Readonly<{ title: string; advice: string; href: string }>;

type Message = readonly [title: string, advice: string];

const messagesByCode: Readonly<Record<string, Message>> = {
  invalid_api_key: [
    'Key rejected',
    'Check that it is complete and starts with mq_, or ask for a new one.',
  ],
  model_not_allowed: ['The key may not use this model', 'Pick another model from the list.'],
  model_without_price: [
    'This model has no known price',
    'Your budget is in dollars: pick another model from the list.',
  ],
  model_not_found: ['This model does not exist', 'Pick one from the list.'],
  context_length_exceeded: [
    'The conversation is too long for this model',
    'Start a new one, or pick a model with a larger context.',
  ],
  content_filter: ['The model’s content filter blocked this', 'Try other words.'],
  cyber_policy: [
    'The model’s service takes this for a security risk',
    'Try other words, or pick another model from the list.',
  ],
  request_too_large: ['The message is too long', 'Shorten it, then send it again.'],
  rate_limit_exceeded: ['Too many requests for this minute', 'Wait a moment, then try again.'],
  insufficient_quota: [
    'The budget is used up',
    'Your account page says what is left, and when it is reset.',
  ],
  server_misconfigured: [
    'This site has no AI models yet',
    'Its operator needs to connect a service first.',
  ],
  server_is_overloaded: ['The models are busy', 'Try again in a minute.'],
  upstream_timeout: ['The model took too long', 'Try a shorter question, or another model.'],
  upstream_error: ['The models’ service failed', 'Your request is fine. Try again in a moment.'],
  stream_cut: ['The reply was cut off', 'What arrived is above. Try again to get all of it.'],
  no_response: ['No response', 'Check that you are online, then try again.'],
};

const sections: ReadonlySet<string> = new Set(
  Object.keys(messagesByCode).filter((code) => code !== 'stream_cut' && code !== 'no_response'),
);

/** The message for an error, by its code, else by its status. */
export function toErrorMessage({ status, code, message }: ReplyError): ErrorMessage {
  const known = Object.hasOwn(messagesByCode, code ?? '') ? messagesByCode[code ?? ''] : undefined;
  const [title, advice] = known ?? toMessageByStatus(status, message);
  const anchor = sections.has(code ?? '') ? `#${code}` : '#the-ai-proxy';
  return { title, advice, href: `/docs/errors${anchor}` };
}

/** The error where there was no response at all. */
export const noResponse: ReplyError = {
  status: 0,
  code: 'no_response',
  message: 'No response.',
};

function toMessageByStatus(status: number, message: string): Message {
  if (status === 400) return ['The request is invalid', message];
  if (status === 404) return ['This site has no AI proxy', 'Its operator has not set one up.'];
  if (status >= 500) return ['Something failed on the way to the model', 'Try again in a minute.'];
  return ['The request was rejected', message];
}
