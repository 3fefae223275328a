import type { RejectedField } from '#lib/http/errors/errors.ts';
import { findLevels } from '../../../protocols/chat/levels.ts';
import type { OptionalField } from '../../../protocols/chat/optional-fields.ts';
import type { UpstreamError } from './error-body.ts';
import { isEcho } from './rejected-bound.ts';
import { onlyFunctionTexts, unknownTypeTexts } from './unknown-types.ts';

/** Of JSON Schema; others may have been made up by a client. */
const keywords = String.raw`(?:\$\w+|const|type|format|(?:one|all)Of|not|if|then|else|examples|definitions|(?:additional|pattern|dependent|unevaluated)\w+|propertyNames|(?:exclusive|min|max)[MC]\w+|prefixItems|contains|uniqueItems|multipleOf|deprecated|readOnly|writeOnly|content\w+)`;

/** How Google rejects names in the parameters of a function, also behind gateways. */
function unknownInSchema(names: string): RegExp {
  const prefix = String.raw`(?:\[[^\]]{1,80}\][: ]{1,2}){0,2}`;
  const place = String.raw`'(?:request\.)?tools\[\d+\]\.function_?declarations\[\d+\]\.parameters\b`;
  return new RegExp(
    `^${prefix}invalid json payload received\\. unknown name "${names}" at ${place}`,
    'i',
  );
}

/** How it rejects keywords that it has, but not at their place. */
const impossibleSchema =
  /^(?:\[[^\]]{1,80}\][: ]{1,2})?(?:\* )?generatecontentrequest\.tools\[\d+\]\.function_?declarations\[\d+\]\.parameters\.[\w.[\]]{1,200}: (?:only allowed for|only '|property is not defined|missing field|should not be set|should be non-empty)/i;

/** What depends on the other fields of a request, so that nothing is learned for the next one. */
const formsOfRequest: readonly (readonly [OptionalField, RegExp])[] = [
  // Google’s and Amazon’s servers of Anthropic’s models; a client may have made the values up
  [
    'anthropic_beta',
    /^unexpected value\(s\) (?<betas>`[\w-]{1,80}`(?:, `[\w-]{1,80}`){0,30}) for the `anthropic-beta` header\b/i,
  ],
  ['anthropic_beta', /^(?:validationexception: )?invalid beta flag\b/i],
  // Anthropic
  ['top_p', /^[`'"]?temperature[`'"]? and [`'"]?top_p[`'"]? cannot both be specified\b/i],
  ...(['temperature', 'top_p', 'top_k'] as const).map(
    (name) =>
      [
        name,
        new RegExp(
          `^[\`'"]?${name}[\`'"]? (?:may only|must) be .{1,40}? when thinking is enabled`,
          'i',
        ),
      ] as const,
  ),
  // llama.cpp, Ollama, gateways; vLLM, which says where in the arguments
  ['broken_arguments', /^(?:failed to parse|invalid) tool call arguments\b/i],
  [
    'broken_arguments',
    /^(?:invalid request: )?messages[.[]\d+\]?\.tool_calls[.[]\d+\]?\.function\.arguments: /i,
  ],
  [
    'broken_arguments',
    // At its first character, it is most often the reply of another server.
    /^(?:unterminated string starting at|expecting (?:value(?!: line 1 column 1 )|',' delimiter|':' delimiter|property name enclosed in double quotes)|invalid \\escape|invalid control character at|extra data): line \d+ column \d+/i,
  ],
  // llama.cpp, LM Studio
  ['schema_bounds', /^(?:failed to initialize samplers: )?failed to parse grammar\b/i],
  [
    'schema_bounds',
    /^(?:unable to generate parser for this template\. automatic parser generation failed: )?json schema conversion failed:/i,
  ],
  ...unknownTypeTexts.map((text) => ['other_types', text] as const),
  ['schema_keywords', unknownInSchema('[^"]{1,60}')],
  ['schema_keywords', impossibleSchema],
];

/** How servers and the templates of their models reject a form of messages, after some words of their own. */
const formTexts: readonly (readonly [OptionalField, RegExp])[] = [
  // OpenAI
  ['encrypted_reasoning', /^encrypted content is not supported with this model\b/i],
  // Qwen and others
  ['later_system', /^[\w .:]{0,60}?\bsystem messages? must be (?:at the beginning|the first)\b/i],
  // Servers of Messages: Anthropic, LM Studio, DeepSeek, those with pydantic
  ['later_system', /^messages: unexpected role "system"/i],
  [
    'later_system',
    /^(?:[\w .]{0,70}: )?(?:request\.)?messages[.[]\d+\]?\.role:? (?:unknown variant `system`|must be .{0,40}\bbut got 'system'|(?:invalid \w+ value\. expected|input should be) 'user'(?: \| | or )'assistant'(?! \|))/i,
  ],
  [
    'later_system',
    /^\[\s*\{\s*"received": ?"system",\s*"code": ?"invalid_enum_value"[^}]{0,200}?"path": ?\[\s*"messages",\s*\d+,\s*"role"\s*\]/,
  ],
  // Mistral
  ['later_system', /^unexpected role 'system' after role '\w+'/i],
  // MiniMax, which takes one message of the role system, and in its older versions none
  ['later_system', /^invalid params, invalid chat setting\b/i],
  ['system', /^invalid params, chat content has invalid message role: system\b/i],
  // Gemma, in several servers and at Google
  ['system', /^[\w .:]{0,60}?\bsystem role (?:is )?not supported\b/i],
  ['system', /^developer instruction is not enabled for\b/i],
  // OpenAI, of models for agents
  ['system', /^system messages are not allowed\b/i],
  // Templates of Gemma, Llama 2 and Mistral; Bedrock; Perplexity
  ['repeated_roles', /^[\w .:,]{0,80}?\broles must alternate\b/i],
  ['repeated_roles', /^a conversation must alternate between\b/i],
  ['repeated_roles', /^[\w .:,()]{0,120}?\bshould alternate with assistant messages?\b/i],
  // DeepSeek, Kimi
  [
    'calls_without_reasoning',
    /^missing [`'"]?reasoning_content[`'"]? field in the assistant message/i,
  ],
  [
    'calls_without_reasoning',
    /^thinking is enabled but reasoning_content is missing in assistant/i,
  ],
  [
    'calls_without_reasoning',
    /^the [`'"]?(?:reasoning_content|content\[\]\.thinking)[`'"]? in the thinking mode must be passed back/i,
  ],
  ['calls_without_reasoning', /^missing thinking block in the assistant message at message index/i],
  // Mistral, and the templates of its models
  ['call_ids', /^[\w .:]{0,60}?\btool call ids? (?:was .{0,100}? but must|should) be\b/i],
  // OpenAI
  [
    'odd_call_ids',
    /^invalid '(?:messages|input)\[\d+\]\.(?:tool_calls\[\d+\]\.id|tool_call_id|call_id)': string too long\b/i,
  ],
  // Anthropic
  ['odd_call_ids', /^messages\.\d+\.content\.\d+\.[\w.]*?id: string should match pattern\b/i],
  // Gemini, Vertex AI
  [
    'calls_without_signature',
    /^(?:unable to submit request because )?function call .{0,120}?\bis missing a [`'"]?thought_signature\b/i,
  ],
  // OpenRouter, of Gemini
  ['calls_without_details', /^gemini models require openrouter reasoning details\b/i],
  // OpenAI
  [
    'effort_with_tools',
    /^function tools with reasoning_effort are not supported for \S{1,100} in \S{1,60}\.(?: .{0,80}?\bset reasoning_effort to '(?<taken>none)')?/i,
  ],
  // DeepSeek, Groq, OpenAI, Volcengine
  ['json_schema', /^this response_format type is unavailable now\b/i],
  ['json_schema', /^output_(?:config\.)?format: extra inputs are not permitted\b/i],
  ['json_schema', /^this model does not support response format [`'"]?json_schema\b/i],
  [
    'json_schema',
    /^invalid parameter: 'response_format' of type 'json_schema' is not supported with this model\b/i,
  ],
  [
    'json_schema',
    /^the parameter `response_format\.type` specified in the request (?:is|are) not valid: invalid value: `json_schema`/i,
  ],
  // Anthropic, xAI; LM Studio
  ['loose_schema', /^response_format\.json_schema\.strict: input should be true\b/i],
  ['json_object', /^response_format\.type: input should be 'json_schema'/i],
  ['json_object', /^'response_format\.type' must be 'json_schema'/i],
  // Cloudflare; NVIDIA; servers in Rust, Go, Swift, and those with pydantic
  [
    'content_parts',
    /^(?:aierror: )?bad input: error: oneof at '\/' not met\b.{0,400}?type mismatch of '\/messages\/[^']{1,20}\/content', 'array' not in 'string'/i,
  ],
  ['content_parts', /^sequence item \d+: expected str instance, list found/i],
  [
    'content_parts',
    /^(?:failed to deserialize the json body into the target type: )?messages\[\d+\](?:\.content)?: invalid type: sequence, expected a string/i,
  ],
  [
    'content_parts',
    /^json: cannot unmarshal array into go struct field [\w.]{1,60}content of type string/i,
  ],
  ['content_parts', /^type mismatch for 'messages\.\d+\.content' key, expected 'string' type/i],
  [
    'content_parts',
    /^messages\.\d+\.content(?:\.str)?: (?:str type expected|input should be a valid string)/i,
  ],
  // Ollama and LM Studio, in their older versions; servers in Rust
  ['null_content', /^invalid message content type: <nil>/i],
  ['null_content', /^invalid 'content': 'content' field must be a string\b/i],
  [
    'null_content',
    /^(?:failed to deserialize the json body into the target type: )?messages\[\d+\]: missing field `content`/i,
  ],
  ['schema_keywords', unknownInSchema(keywords)],
  // vLLM, in its older versions
  ['encoding_format', /^base64 encoding is not (?:currently )?supported\b/i],
  // Gateways to Bedrock
  ['count_tokens', /^the provided model does(?:n['’]t| not) support counting tokens/i],
  ...onlyFunctionTexts.map((text) => ['other_tools', text] as const),
  ...formsOfRequest,
];

/** The forms of messages that an upstream does not take, whatever its status. */
export function readRejectedForms(
  errors: readonly UpstreamError[],
  sent: string,
): readonly RejectedField[] {
  return errors.flatMap(({ param, message }) => {
    for (const form of formTexts) {
      const [name, text] = form;
      const found = [message, `${param}: ${message}`]
        .map((own) => text.exec(own))
        .find((match) => match !== null && !isEcho(match[0], sent));
      if (!found) continue;
      const { taken = '', betas = '' } = found.groups ?? {};
      const values = betas === '' ? findLevels(taken) : (betas.match(/[\w-]+/g) ?? []);
      return [{ name, values, isOfRequest: formsOfRequest.includes(form) }];
    }
    return [];
  });
}
