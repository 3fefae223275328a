import type { ProxyError } from '../../proxy-error.ts';

/** The body of an error of the Messages API. */
export type MessagesErrorBody = Readonly<{
  type: 'error';
  error: Readonly<{ type: string; message: string }>;
}>;

const typesByStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** An error in Anthropic’s form. It has no `param`: the message names the field. */
export function toMessagesErrorBody({ status, message, param }: ProxyError): MessagesErrorBody {
  const otherwise = status < 500 ? 'invalid_request_error' : 'api_error';
  const isNamed = param === null || message.includes(`\`${param}\``);
  return {
    type: 'error',
    error: {
      type: typesByStatus[status] ?? otherwise,
      message: isNamed ? message : `${param}: ${message}`,
    },
  };
}
