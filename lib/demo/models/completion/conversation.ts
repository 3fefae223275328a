import { readScript, type ScriptedCall } from './script.ts';
import type { Turn } from './turn.ts';

/** A tool of the request. */
export type Tool = Readonly<{
  name: string;
  parameters: unknown;
  /** Of the Responses API: called with any text. */
  isCustom?: boolean;
  /** Of the Responses API: a group that it belongs to. */
  namespace?: string;
}>;

/** A request of any API, as far as a generated reply depends on it. */
export type Conversation = Readonly<{
  model: string;
  isStream: boolean;
  /** Chat only: whether the stream ends with a usage chunk. */
  includeUsage: boolean;
  /** The user's last message, and the first one. */
  prompt: string;
  firstPrompt: string;
  userTurns: number;
  images: number;
  /** Tool outputs since the last message of the user or the assistant. */
  toolResults: readonly string[];
  tools: readonly Tool[];
  toolChoice: 'auto' | 'none' | 'required' | Readonly<{ name: string }>;
  isParallel: boolean;
  /** The JSON schema that the reply has to match. */
  outputSchema: unknown;
  outputFormat: 'text' | 'json' | 'schema';
  maxTokens: number | null;
  /** Whether the reply begins with reasoning. */
  hasReasoning: boolean;
  /** The calls that the prompt dictates next; null if it has no script. */
  script: readonly ScriptedCall[] | null;
  promptTokens: number;
}>;

const charactersPerToken = 4;
const tokensPerImage = 85;

/** A rough estimate: four characters per token. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Derives prompt, tool results and counts from the turns. */
export function readTurns(turns: readonly Turn[]) {
  const users = turns.filter(({ role }) => role === 'user');
  const lastSpoken = turns.findLastIndex(({ role, text }) => role !== 'tool' && text !== '');
  const characters = turns.map(({ text }) => text).join('\n');
  const images = users.reduce((sum, turn) => sum + turn.images, 0);
  return {
    prompt: users.at(-1)?.text ?? '',
    firstPrompt: users[0]?.text ?? '',
    userTurns: users.length,
    images: users.at(-1)?.images ?? 0,
    toolResults: turns
      .slice(lastSpoken + 1)
      .filter(({ role }) => role === 'tool')
      .map(({ text }) => text),
    script: readScript(turns),
    promptTokens: countTokens(characters) + images * tokensPerImage,
  };
}
