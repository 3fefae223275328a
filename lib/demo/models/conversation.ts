/** A function that the caller offers. */
export type Tool = Readonly<{ name: string; parameters: unknown }>;

/** What a request comes to in either API, as far as a made-up answer needs it. */
export type Conversation = Readonly<{
  model: string;
  isStream: boolean;
  /** Chat alone: whether the stream ends with a chunk of usage. */
  includeUsage: boolean;
  /** What the user said last, and first. */
  prompt: string;
  firstPrompt: string;
  userTurns: number;
  images: number;
  /** What tools gave since the user or the model spoke last. */
  toolResults: readonly string[];
  tools: readonly Tool[];
  toolChoice: 'auto' | 'none' | 'required' | Readonly<{ name: string }>;
  isParallel: boolean;
  /** The JSON schema that the answer has to fit; `any` where it only has to be JSON. */
  outputSchema: unknown;
  outputForm: 'text' | 'json' | 'schema';
  maxTokens: number | null;
  promptTokens: number;
}>;

/** One message or item, made alike. */
export type Turn = Readonly<{
  role: 'user' | 'assistant' | 'system' | 'tool';
  text: string;
  images: number;
}>;

const charactersPerToken = 4;
const tokensPerImage = 85;

/** A rough count, as any outsider would make it: four characters a token. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** What the turns say together. */
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
    promptTokens: countTokens(characters) + images * tokensPerImage,
  };
}
