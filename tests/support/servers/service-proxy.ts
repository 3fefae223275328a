import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { services, startService } from '../upstreams/services.ts';
import type { StandInProtocol } from '../upstreams/stand-in/stand-in.ts';
import { startInProcessProxy } from './in-process-proxy.ts';

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

/** The proxy before a stand-in, with the entry of the documentation. @param spoken in place of its protocols */
export async function startServiceProxy(name: string, spoken?: readonly string[]) {
  const service = services[name];
  const entry = documented.upstreams.find((one) => one.name === name);
  if (service === undefined || entry === undefined) throw new Error(`There is no ${name}.`);
  const upstream = await startService(service);
  const { pathname, search } = new URL(entry.url);
  const url = upstream.origin + pathname + search;
  const folder = makeTemporaryFolder();
  const path = join(folder.path, 'upstreams.json');
  const upstreams = [{ ...entry, url, protocols: spoken ?? entry.protocols }];
  const models = [{ id: 'm', targets: [{ upstream: name }] }];
  writeFileSync(path, JSON.stringify({ upstreams, models }));
  const proxy = await startInProcessProxy({
    environment: {
      AI_UPSTREAM_URL: '',
      AI_UPSTREAM_KEY: '',
      AI_MODELS: '',
      AI_UPSTREAMS_FILE: path,
      [entry.keyEnv]: 'sk-service',
    },
  });
  return {
    proxy,
    upstream,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
