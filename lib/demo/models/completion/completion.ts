import { createRandom, toSeed } from '../../seeded-random.ts';
import { type Conversation, countTokens } from './conversation.ts';
import { makeToolCalls, type ToolCall, toNames } from './tool-calls.ts';
import { makeValue } from './value-from-schema.ts';

/** A generated reply: text or tool calls. */
export type Completion = Readonly<{
  /** The streamed pieces, one word each. */
  pieces: readonly string[];
  calls: readonly ToolCall[];
  /** The same for reasoning, which comes first. */
  reasoning: readonly string[];
  finish: 'stop' | 'length' | 'tool_calls';
  promptTokens: number;
  outputTokens: number;
}>;

/** Generates a reply from the words of the prompt; the same for the same prompt. */
export function createCompletion(conversation: Conversation, modelName: string): Completion {
  const { promptTokens, maxTokens } = conversation;
  const calls = makeToolCalls(conversation);
  const reasoning = conversation.hasReasoning ? toWords(toThought(conversation)) : [];
  if (calls.length > 0) {
    const written = calls.map((call) => call.name + call.arguments).join('');
    return {
      pieces: [],
      calls,
      reasoning,
      finish: 'tool_calls',
      promptTokens,
      outputTokens: countTokens(written),
    };
  }
  const whole = makeText(conversation, modelName);
  const isCut = maxTokens !== null && countTokens(whole) > maxTokens;
  const text = isCut ? whole.slice(0, maxTokens * 4) : whole;
  return {
    pieces: toWords(text),
    calls: [],
    reasoning,
    finish: isCut ? 'length' : 'stop',
    promptTokens,
    outputTokens: countTokens(text),
  };
}

function toWords(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
}

function toThought({ prompt, toolResults }: Conversation): string {
  const results = toolResults.length === 0 ? '' : ` The tools returned ${toolResults.length}.`;
  return `They wrote ${quote(prompt)}${results} I will reply to that.`;
}

function makeText(conversation: Conversation, modelName: string): string {
  const { outputFormat, outputSchema, prompt, toolResults, script } = conversation;
  if (script !== null) return `The script is done. ${toResultText(toolResults)}`;
  if (outputFormat === 'schema') {
    return JSON.stringify(makeValue(outputSchema, { words: toNames(prompt), turn: 0 }));
  }
  if (outputFormat === 'json') return JSON.stringify({ demo: true, answer: quote(prompt) });
  if (toolResults.length > 0) return toResultText(toolResults);
  const numbers = /\bcount (?:up )?to (\d{1,5})\b/i.exec(prompt)?.[1];
  if (numbers !== undefined) {
    return Array.from({ length: Number(numbers) }, (_, index) => index + 1).join(' ');
  }
  return toTalk(conversation, modelName);
}

function toResultText(results: readonly string[]): string {
  const list = results.map((result) => `- ${quote(result)}`).join('\n');
  return `The tools returned:\n\n${list}`;
}

const remarks = [
  'Ask me again and the reply will be the same.',
  'A real model would know more; this one only counts words.',
  'Set the URL of a real upstream, and its models will reply here.',
  'Everything else was real: the key, the limits, the stream.',
] as const;

function toTalk(conversation: Conversation, modelName: string): string {
  const { prompt, firstPrompt, userTurns, images } = conversation;
  const random = createRandom(toSeed(prompt));
  const words = prompt.match(/\p{L}[\p{L}\p{N}’'-]*/gu) ?? [];
  const longest = words.toSorted((left, right) => right.length - left.length)[0];
  const facts = [
    `It has ${words.length} ${words.length === 1 ? 'word' : 'words'}`,
    ...(longest === undefined ? [] : [`the longest of them is **${longest.slice(0, 60)}**`]),
    ...(images > 0 ? [`it came with ${images} ${images === 1 ? 'image' : 'images'}`] : []),
    ...(userTurns > 1
      ? [`it is your turn ${userTurns}; you began with ${quote(firstPrompt)}`]
      : []),
  ];
  return [
    `${modelName} here, a model that exists only in this demo: this reply was generated from your words.`,
    `You wrote ${quote(prompt)}`,
    facts.map((fact) => `- ${fact}`).join('\n'),
    remarks[Math.floor(random() * remarks.length)],
  ].join('\n\n');
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `“${line.length > 160 ? `${line.slice(0, 160)}…` : line}”`;
}
