import { readFileSync } from 'node:fs';
import { services, startService } from '../upstreams/services.ts';
import type { StandInProtocol } from '../upstreams/stand-in/stand-in.ts';
import { startProxyWith } from './in-process-proxy.ts';

type Entry = Readonly<{ name: string; url: string; keyEnv: string; protocols: readonly string[] }>;

const page = new URL('../../../lib/representations/docs/upstreams.md', import.meta.url);
const [, section = ''] = readFileSync(page, 'utf8').split('## Entries for well-known services');

/** The file of upstreams in the documentation. */
export const documentedJson = section.slice(
  section.indexOf('```json') + 7,
  section.indexOf('\n```\n'),
);
export const documented: Readonly<{ upstreams: readonly Entry[] }> = JSON.parse(documentedJson);

/** A row of the table there: what clients get of a service in one of its protocols. */
export type ServiceRow = Readonly<{
  name: string;
  protocol: StandInProtocol;
  tools: string;
  reasoning: string;
  streams: string;
  usage: string;
}>;

const protocols = { Chat: 'chat', Responses: 'responses', Messages: 'messages' } as const;

export const serviceRows: readonly ServiceRow[] = (section.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => /^\| [a-z-]+ /.test(line) && !line.startsWith('| ---'))
  .map((line) => {
    const [, name = '', spoken = '', tools = '', reasoning = '', streams = '', usage = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    const protocol = protocols[spoken as keyof typeof protocols];
    return { name, protocol, tools, reasoning, streams, usage };
  });

const withEmbeddings = documented.upstreams.filter((entry) =>
  entry.protocols.includes('embeddings'),
);
/** The services that create vectors. */
export const embeddingServices = withEmbeddings.map(({ name }) => name);

/** The model of a service, of which the upstream knows only this protocol, and Chat Completions. */
export function toServiceModel({ name, protocol }: Readonly<{ name: string; protocol: string }>) {
  return `${name}-by-${protocol}`;
}

/** One proxy before the stand-ins of all services, each with the entry of the documentation for each of its protocols. */
export async function startServicesProxy() {
  const upstreams = new Map(
    await Promise.all(
      Object.entries(services).map(
        async ([name, service]) => [name, await startService(service)] as const,
      ),
    ),
  );
  const upstreamOf = ({ name }: Pick<ServiceRow, 'name'>) => {
    const upstream = upstreams.get(name);
    if (upstream === undefined) throw new TypeError(`There is no ${name}.`);
    return upstream;
  };
  const keys = documented.upstreams.map(({ keyEnv }) => [keyEnv, 'sk-service']);
  const proxy = await startProxyWith(
    toFile((row) => upstreamOf(row).origin),
    Object.fromEntries(keys),
  );
  return {
    proxy,
    upstreamOf,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      for (const upstream of upstreams.values()) await upstream[Symbol.asyncDispose]();
    },
  };
}

function toFile(originOf: (row: Pick<ServiceRow, 'name'>) => string): object {
  const rows = [
    ...serviceRows,
    ...withEmbeddings.map(({ name }) => ({ name, protocol: 'embeddings' })),
  ];
  const entries = rows.map((row) => {
    const entry = documented.upstreams.find(({ name }) => name === row.name);
    const { pathname, search } = new URL(entry?.url ?? '');
    const url = originOf(row) + pathname + search;
    const protocols = [...new Set(['chat', row.protocol])];
    return { ...entry, name: toServiceModel(row), url, protocols };
  });
  const models = entries.map(({ name }) => ({
    id: name,
    targets: [{ upstream: name, model: 'm' }],
  }));
  return { upstreams: entries, models };
}
