import type { ClientOptions } from 'openai';
import { weatherTool } from '../client-fixtures.ts';

export type Access = Readonly<{
  /** Of the server. */
  url: string;
  /** With `/proxy/v1`. */
  baseUrl: string;
  key: string;
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
  stream: (access: Access, model: string) => AsyncGenerator<string>;
  /** Has the tool called, and sends its results: for which cities, and the reply to them. */
  useTools: (
    access: Access,
    isStream: boolean,
  ) => Promise<Readonly<{ cities: unknown; text: string }>>;
  /** A trip as structured output; null: the library has none. */
  planTrip: ((access: Access, isStream: boolean) => Promise<unknown>) | null;
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
