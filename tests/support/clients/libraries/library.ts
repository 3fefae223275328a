import type { ClientOptions } from 'openai';
import { weatherTool } from '../client-fixtures.ts';

export type Access = Readonly<{
  /** Of the server. */
  url: string;
  /** With `/proxy/v1`. */
  baseUrl: string;
  key: string;
  /** Default: the demo's. */
  model?: string;
  /** Further ones of OpenAI's own client. */
  options?: ClientOptions;
}>;

export type Reply = Readonly<{
  text: string;
  /** Whether it ended at its maximum length, as the library tells it; null where it does not. */
  isCut: boolean | null;
  tokensIn: number;
  tokensOut: number;
}>;

/** A client library, without retries, and what all of them can do. Prompts are those of the fixtures. */
export type Library = Readonly<{
  client: string;
  /** Its name in the table of /docs/ai. */
  documented: string;
  api: 'chat' | 'responses' | 'messages';
  reply: (access: Access, model: string, maxTokens?: number) => Promise<Reply>;
  /** Yields the text as it streams in; throws if the client reports an error. */
  stream: (access: Access, model: string, signal?: AbortSignal) => AsyncGenerator<string>;
  /** Has the tool called, and sends its results, until no more calls come: for which cities, and the last reply. */
  runTools: (
    access: Access,
    isStream: boolean,
    question?: string,
  ) => Promise<Readonly<{ cities: unknown; text: string }>>;
  /** Asks for reasoning, in a stream: what the client shows of it (null: nothing), and the reply. */
  think: (access: Access) => Promise<Readonly<{ thinking: string | null; text: string }>>;
  /** A trip as structured output. */
  planTrip: (access: Access, isStream: boolean) => Promise<unknown>;
  /** The reply to a second turn, after the first one as the library keeps it. */
  converse: (access: Access, isStream: boolean) => Promise<string>;
  look: (access: Access) => Promise<string>;
}>;

/** The tool, and for which cities it was called. */
export function watchWeather() {
  const cities: unknown[] = [];
  const run = (input: Readonly<{ city: string }>) => {
    cities.push(input);
    return weatherTool.run(input);
  };
  return { cities, run };
}
