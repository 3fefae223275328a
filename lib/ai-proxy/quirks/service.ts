import type { UpstreamError } from '../upstreams/errors/error-body.ts';

type Signs = Readonly<{
  /** `code` or `type` of the error. */
  code?: RegExp;
  texts: readonly RegExp[];
}>;

/** How servers say what no other form of a request would help: it is about the service, the model, or another server’s reasoning. */
const signs = {
  /** Of our own: a client that waits, and repeats, would do so in vain. */
  account: {
    code: /^(?:invalid_api_key|invalid_authentication|account_|billing_|organization_|project_|insufficient_|usage_limit_|exceeded_current_quota|arrearage|(?:1008|1113)$)/i,
    // What will not pass within minutes.
    texts: [
      /\bcredit balance\b|\binsufficient (?:account )?(?:balance|quota|credits?|funds)\b/i,
      /\b(?:hourly|daily|weekly|monthly|session|\d+-hour) usage (?:limit|quota)\b|\busage limit reached\b/i,
    ],
  },
  /** Of our account, where the status says no more than that the request is rejected. */
  access: {
    texts: [
      /\bapi[ _-]?key\b.{0,80}\b(?:invalid|incorrect|not valid|expired|missing)\b/i,
      /\b(?:invalid|incorrect|expired|missing)\b.{0,80}\bapi[ _-]?key\b/i,
      // Google says so of each minute, too.
      /\bcurrent quota\b|\bworkspace api usage limits\b|\buser location is not supported\b/i,
      /\borgani[sz]ation\b.{0,80}\b(?:disabled|deactivated|must be verified)\b/i,
    ],
  },
  /** It may also say that there were too many tokens: in this minute. */
  rateLimit: {
    texts: [
      /\brate.?limit|\btoo many requests\b|\bthrottl|\bplease wait\b|\b(?:tokens|requests) per (?:second|minute|hour|day)\b/i,
    ],
  },
  /** The same in a 400 of Amazon, where it is no prompt that is too long. */
  throttled: {
    code: /^throttl/i,
    texts: [/^(?:throttl|rate.?limit|too many requests\b|too many tokens\b.{0,40}\bwait\b)/i],
  },
  /** Gateways such as new-api say it with a 503. */
  unknownModel: {
    code: /^model_not_found$/,
    texts: [/\bis not a valid model id\b|\bwith on-demand throughput\b/i],
  },
  /** Of a tool, as the model has written it: at Groq; llama.cpp and Ollama, which quote it. */
  unreadableCall: {
    code: /^tool_use_failed$/,
    texts: [
      /^(?:failed to call a function\b|failed to parse input at pos\b|error parsing tool call\b)/i,
    ],
  },
  /** A client that provokes the text loses its own reasoning, no more. */
  reasoning: {
    code: /^invalid_encrypted_content$/,
    texts: [
      /\bencrypted content\b.{0,120}\b(?:could not be (?:verified|decrypted)|is invalid)\b/i,
      // OpenAI, of what another server has thought
      /^invalid 'input\[\d+\]\.content': array too long\. expected an array with maximum length 0\b/i,
      // Anthropic; Google
      /\binvalid `?(?:signature|data)`? in `?(?:redacted_)?thinking`? block/i,
      /^(?:invalid|corrupted) thought signature\b|^(?:unable to submit request because )?thought signature is not valid\b/i,
    ],
  },
} as const satisfies Readonly<Record<string, Signs>>;

/** Whether an error is about one of these. */
export function isAbout(error: UpstreamError, ...subjects: readonly (keyof typeof signs)[]) {
  return subjects.some((subject) => {
    const { code, texts }: Signs = signs[subject];
    const isCoded = [error.code, error.type].some((word) => word !== null && code?.test(word));
    return isCoded || texts.some((text) => text.test(error.message));
  });
}
