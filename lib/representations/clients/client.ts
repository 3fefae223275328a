import type { ListedModel } from '../listed-models.ts';

/** What a configuration says about its model. */
export type ConfiguredModel = Pick<ListedModel, 'id' | 'contextTokens' | 'capabilities'>;

export type Setup = Readonly<{
  siteUrl: string;
  /** Null: the configuration reads it from the variable `MARQUEE_KEY`. */
  key: string | null;
  model: ConfiguredModel;
}>;

export type CodeText = Readonly<{
  /** Where it belongs: a file, or a terminal. */
  title: string;
  language: string;
  code: string;
}>;

/** How a script connects a client: its settings file, and a request as the client sends it. */
export type Connection = Readonly<{
  /** In a folder of the home directory, unless a variable names another one. */
  file: Readonly<{ variable: string; folder: string; name: string }>;
  request: Readonly<{ path: 'responses' | 'messages' | 'chat/completions'; body: object }>;
  /** JSON that is merged into the file, or lines of TOML: at its beginning and at its end. `$key` is the key. */
  settings: object | Readonly<{ top: readonly string[]; table: readonly string[] }>;
  /** A last command. */
  after?: string;
}>;

/** A program that uses the proxy. */
export type Client = Readonly<{
  /** For ids and URLs, such as `openai-js`. */
  id: string;
  title: string;
  /** An agent works with tools, in long conversations. */
  isAgent: boolean;
  /** The beginning of the ids of models that it was made for. */
  madeFor?: RegExp;
  /** The first one is enough to begin with. */
  toCode: (setup: Setup) => readonly CodeText[];
  toConnection?: (setup: Setup) => Connection;
}>;

/** Where no list says how long a conversation may be. */
const contextTokensDefault = 128_000;
const outputTokensMax = 32_000;

/** The size of the context, and how much of it a reply may have. */
export function toTokenBounds({ contextTokens }: ConfiguredModel) {
  const context = contextTokens ?? contextTokensDefault;
  return { context, output: Math.min(outputTokensMax, Math.floor(context / 4)) };
}

/** Whether a model can do something; of a model without any known capability that is assumed. */
export function canDo(
  { capabilities }: ConfiguredModel,
  capability: ListedModel['capabilities'][number],
): boolean {
  return capabilities.length === 0 || capabilities.includes(capability);
}

/** The same, but only if it is known. */
export function isKnownToDo(
  { capabilities }: ConfiguredModel,
  capability: ListedModel['capabilities'][number],
): boolean {
  return capabilities.includes(capability);
}

/** One word of a shell: ids of models are an upstream's, and may have any printable character. */
export function quoteForShell(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Where the script is that connects a client. */
export function toConnectUrl(siteUrl: string, { id }: Pick<Client, 'id'>): string {
  return `${siteUrl}/connect/${id}`;
}

/** The command that connects a client. @param modelId null: the model that suits it best. */
export function toConnectCommand(siteUrl: string, client: Client, modelId: string | null): string {
  const search = modelId === null ? '' : `?${new URLSearchParams({ model: modelId })}`;
  return `curl -fsS ${quoteForShell(toConnectUrl(siteUrl, client) + search)} | sh`;
}

/** Lines for a terminal that set variables and start a program. */
export function toTerminal(variables: Readonly<Record<string, string>>, command: string): CodeText {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${value}`);
  return { title: 'Terminal', language: 'sh', code: [...lines, command].join('\n') };
}

/** The key as a shell reads it. */
export function toShellKey({ key }: Setup): string {
  return key ?? '$MARQUEE_KEY';
}

/** Sets the variable that files and programs name, unless the documentation has told how. */
export function toKeyVariable({ key }: Setup): Readonly<Record<string, string>> {
  return key === null ? {} : { MARQUEE_KEY: key };
}

export function toJsonText(value: object): string {
  return JSON.stringify(value, null, 2);
}
