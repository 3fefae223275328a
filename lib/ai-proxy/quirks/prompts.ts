import type { Quirk } from './quirk.ts';

/**
 * What servers reject of a prompt: its pictures and files, its length, and what it is about. Claude Code takes pictures out of a
 * conversation by words such as `image exceeds`.
 */
export const promptQuirks: readonly Quirk[] = [
  {
    texts: [/^(?:(?<param>[\w.]+): )?image exceeds (?<max>\d+) ?mb maximum\b/i],
    tell: ({ field, max }) =>
      `${field ?? 'The request'}: image exceeds ${max ?? 'the'} MB maximum. Send a smaller one.`,
  },
  {
    texts: [
      /^(?:(?<param>[\w.]+): )?.{0,40}\bimage dimensions exceed max allowed size for many-image requests: (?<max>\d+) pixels/i,
    ],
    tell: ({ field, max }) =>
      `${field ?? 'The request'}: image dimensions exceed ${max ?? 'the limit of'} pixels for many-image requests. Send smaller images, or fewer.`,
  },
  {
    texts: [
      /^(?:(?<param>[\w.]+): )?.{0,40}\bimage dimensions exceed max allowed size: (?<max>\d+) pixels/i,
    ],
    tell: ({ field, max }) =>
      `${field ?? 'The request'}: image dimensions exceed ${max ?? 'the limit of'} pixels. Send a smaller one.`,
  },
  {
    texts: [
      /^(?:(?<param>[\w.]+): )?image does not match the provided media type\b/i,
      /^(?:(?<param>[\w.]+): )?the image was specified using the image\/\w+ media type, but\b/i,
    ],
    tell: ({ field }) =>
      `${field ?? 'The request'}: image does not match the provided media type. Name the type that it has.`,
  },
  {
    texts: [/\bmaximum of (?<max>\d+) pdf pages\b/i],
    tell: ({ max }) =>
      max === null
        ? 'The request has more PDF pages than this model takes: send fewer.'
        : `A maximum of ${max} PDF pages may be provided: send fewer.`,
  },
  {
    texts: [/\bthe pdf specified is password protected\b/i],
    tell: 'The PDF specified is password protected: send it without its password.',
  },
  {
    texts: [/\bthe pdf specified was not valid\b|\bcould not process pdf\b/i],
    tell: 'The PDF specified was not valid: this model cannot read it.',
  },
  {
    code: 'unsupported_parameter',
    codes: ['image_content_not_supported'],
    texts: [
      /\bsupport image input\b|\bnot a multimodal model\b|\bdoes not support (?:image|vision)/i,
      /\bimage_url is only supported by certain models\b|\bat most 0 image/i,
      // llama.cpp
      /\bimage input is not supported\b/i,
    ],
    tell: 'This model cannot read images: leave them out, or choose another model.',
  },
  {
    code: 'unsupported_parameter',
    texts: [/\baudio input is not supported\b/i],
    tell: 'This model cannot read audio: leave it out, or choose another model.',
  },
  {
    codes: ['invalid_image_url', 'invalid_image_format', 'image_parse_error', 'invalid_image'],
    texts: [
      /^(?<param>[\w.]+): could not process image/i,
      /\b(?:could not process|unsupported|invalid|failed to (?:download|load|decode|process)|error while downloading) (?:the )?image/i,
      /\binvalid base64\b|\bcannot identify image file\b/i,
    ],
    tell: ({ field }) =>
      `An image of the request cannot be read${field === null ? '' : ` (${field})`}: send a PNG, JPEG, GIF or WebP, as a data URL or at a public URL.`,
  },
  {
    code: 'context_length_exceeded',
    codes: [
      'context_length_exceeded',
      'exceed_context_size_error',
      'context_window_exceeded',
      'model_context_window_exceeded',
      'model_max_prompt_tokens_exceeded',
      // Z.ai
      '1261',
    ],
    texts: [
      // OpenAI, vLLM
      /maximum context length (?:is|of) (?<max>\d+) tokens\. However, .{0,60}?(?:messages resulted in|prompt contains at least) (?<used>\d+)/i,
      /maximum context length (?:is|of) (?<max>\d+)/i,
      // Anthropic, Fireworks
      /prompt is too long: (?<used>\d+) tokens > (?<max>\d+)/i,
      /prompt is too long: (?<used>\d+), model maximum context length: (?<max>\d+)/i,
      // llama.cpp, LM Studio
      /request \((?<used>\d+) tokens\) exceeds the available context size \((?<max>\d+)/i,
      /keep the first (?<used>\d+) tokens .{0,80}?context length of only (?<max>\d+)/i,
      // Google
      /input token count \(?(?<used>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<max>\d+)/i,
      /maximum number of tokens allowed \(?(?<max>\d+)/i,
      // TGI
      /`inputs` tokens \+ `max_new_tokens` must be <= (?<max>\d+)/,
      /`inputs` must have less than (?<max>\d+) tokens\. Given: (?<used>\d+)/,
      // xAI, Kimi, GitHub
      /maximum prompt length is (?<max>\d+) but the request contains (?<used>\d+)/i,
      /exceeded model token limit: (?<max>\d+) \(requested: (?<used>\d+)\)/i,
      /prompt token count of (?<used>\d+) exceeds the limit of (?<max>\d+)/i,
      // SGLang, TensorRT-LLM and gateways before them
      /input \((?<used>\d+) tokens\) is longer than the model's context length \((?<max>\d+)/i,
      /input length \(?(?<used>\d+)(?: tokens)?\)? exceeds (?:the )?(?:model's )?maximum (?:\w+ ){0,2}length \(?(?:of )?(?<max>\d+)/i,
      // Qwen
      /range of input length should be \[\d+, ?(?<max>\d+)\]/i,
      // vLLM, NVIDIA: what is left for the reply
      /\bmax_tokens must be at least ?1, got -\d+/i,
      // Bedrock, Groq, Kimi, Z.ai and others
      /\bcontext (?:length|window|limit|size)\b/i,
      /\bprompt is too long\b|\binput is too long for\b|\btoo many (?:input )?tokens\b|\blonger than the maximum model length\b/i,
      /\bexceeded model token limit\b|\btoken limit exceeded\b|\bmore than max tokens allowed\b|\bprompt exceeds max length\b/i,
      /\bexceeds (?:the )?maximum allowed input length\b|\breduce the length of the messages\b|\bcontext shift is disabled\b/i,
    ],
    tell: ({ used, max }) =>
      used !== null && max !== null
        ? `The prompt is too long: ${used} tokens > ${max} maximum, prompt and reply together. Shorten one of them.`
        : `The prompt is too long: this model takes ${max === null ? 'less' : `${max} tokens`}, prompt and reply together. Shorten one of them.`,
  },
  {
    code: 'content_filter',
    codes: [
      'content_filter',
      'content_policy_violation',
      'ResponsibleAIPolicyViolation',
      'invalid_prompt',
      'bio_policy',
      'misalignment_policy_violation',
      // Z.ai
      '1301',
    ],
    texts: [
      /\bcontent (?:management|filtering|filter|safety|usage) polic/i,
      /\bblocked by content filter|\byour input was flagged\b|\binappropriate content\b|\bsafety system\b/i,
    ],
    tell: 'The content filter of the service behind this model rejects this prompt: change it.',
  },
  {
    // At OpenAI. Codex explains it to its user, and sends the request again where it does not know why it has failed.
    code: 'cyber_policy',
    codes: ['cyber_policy'],
    texts: [/\bflagged\b.{0,60}?\bcybersecurity\b/i],
    tell: 'The service behind this model takes this request for a possible cybersecurity risk: word it differently, or choose another model.',
  },
  {
    texts: [/\bmust contain the word ['"`]json['"`]/i],
    tell: 'For replies of type `json_object` the prompt has to contain the word “json”.',
  },
  {
    param: 'stream',
    texts: [/\bonly supports? stream\b|\bfor non-streaming calls\b|\bstreaming is required\b/i],
    tell: 'This model replies in a stream only: send `"stream": true`.',
  },
];
