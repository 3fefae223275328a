import type { KnownMistake } from './known-mistake.ts';

const unavailable =
  "(?:(?:does not|doesn['’]t) support|is not supported|is unavailable|not valid: invalid value)";

/** What servers reject of the format of a reply, and of schemas. */
export const formatMistakes: readonly KnownMistake[] = [
  {
    code: null,
    codes: [],
    texts: [/^(?<param>[\w.]+\.strict): input should be true\b/i],
    toMessage: ({ field }) =>
      `This model takes only strict schemas of a reply: set ${field ?? '`strict`'} to \`true\`.`,
  },
  {
    code: 'unsupported_parameter',
    param: 'response_format',
    codes: [],
    texts: [
      // Groq, DeepSeek, OpenAI, Volcengine
      new RegExp(`^this model ${unavailable} response format\\b`, 'i'),
      new RegExp(`^this response_format type ${unavailable}\\b`, 'i'),
      new RegExp(`^invalid parameter: 'response_format' of type '\\w+' ${unavailable}\\b`, 'i'),
      new RegExp(
        `^the parameter \`response_format\\.type\` specified in the request (?:is|are) ${unavailable}\\b`,
        'i',
      ),
      // LM Studio; Anthropic, xAI
      /^'response_format\.type' must be 'json_schema'/i,
      /^response_format\.type: input should be 'json_schema'/i,
    ],
    toMessage: ({ field }) =>
      `This model does not take this type of ${field}: use another one, or leave it out and ask for JSON in the prompt.`,
  },
  {
    code: null,
    codes: ['invalid_function_parameters', 'invalid_json_schema'],
    texts: [
      /\binvalid (?:json )?schema for (?:function|response_format|text\.format)\b/i,
      // Anthropic
      /^(?<param>[\w.]*schema): (?:for '\w+' type, |empty schema\b|.{0,80}?\bis not supported\b)/i,
    ],
    toMessage: ({ field }) =>
      `${field ?? 'A JSON schema of the request'} is not a schema that this model takes. In strict mode each object needs \`"additionalProperties": false\` and lists all its properties in \`required\`.`,
  },
];
