import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, quoteForShell, type Setup, toConnectUrl } from '../client.ts';

/** A client that a script can connect. */
export type ConnectableClient = Client & Required<Pick<Client, 'toConnection'>>;

// From the working directory, since Next bundles this module but not the texts.
const directory = join(process.cwd(), 'lib/representations/clients/connect');
const readText = (name: string) => readFileSync(join(directory, name), 'utf8').trimEnd();
const texts = {
  script: readText('connect.sh'),
  json: readText('json-change.sh'),
  toml: readText('toml-change.sh'),
} as const;

export function isConnectable(client: Client): client is ConnectableClient {
  return client.toConnection !== undefined;
}

/** Stands for the key in settings: no id of a model has it, which an upstream may have chosen. */
const keyPlace = '\u{1f511}';

/** A shell script that asks for the key, tests it, and changes the client’s own settings; or undoes that. */
export function toConnectScript(
  client: ConnectableClient,
  { siteUrl, model }: Pick<Setup, 'siteUrl' | 'model'>,
): string {
  const { title } = client;
  const { file, request, settings, after } = client.toConnection({
    siteUrl,
    model,
    key: keyPlace,
  });
  const change =
    'top' in settings && 'table' in settings
      ? fill(texts.toml, {
          top: toShellArguments(settings.top),
          table: toShellArguments(settings.table),
        })
      : fill(texts.json, { settings: toHereDocument(settings) });
  const script = fill(texts.script, {
    title,
    file: `\${${file.variable}:-$HOME/${file.folder}}/${file.name}`,
    change,
    origin: siteUrl,
    url: toConnectUrl(siteUrl, client),
    site: quoteForShell(siteUrl),
    path: request.path,
    body: quoteForShell(JSON.stringify(request.body)),
    after: after ?? '',
  });
  return `${script.replace(/\n +\n/g, '\n')}\n`;
}

/** @throws TypeError for a placeholder without a value. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`No value for {{${name}}}.`);
    return value;
  });
}

function toShellArguments(lines: readonly string[]): string {
  return lines.map(quoteForShell).join(' \\\n    ');
}

const columnsMax = 116;

/** JSON in few lines, in which a shell replaces only `$key`. */
function toHereDocument(settings: object): string {
  const lines: string[] = [];
  for (const line of JSON.stringify(settings, null, 1).split('\n')) {
    const last = lines.at(-1);
    const joined = `${last} ${line.trim()}`;
    const isEnd = /^ *[\]}]/.test(line);
    if (last === undefined || (joined.length > columnsMax && !isEnd)) lines.push(line.trim());
    else lines.splice(-1, 1, joined);
  }
  return lines
    .join('\n')
    .replace(/[\\`$]/g, '\\$&')
    .replaceAll(keyPlace, '$key');
}
