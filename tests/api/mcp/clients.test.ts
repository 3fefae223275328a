import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { docsPaths } from '#lib/representations/docs/page-rows.ts';
import { send } from '../../support/clients/http-client.ts';
import { siteUrl } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();
const info = { name: 'test', version: '1.0.0' };
const url = () => new URL(`${server.url}/mcp`);

/** What both SDKs can do. */
type AnyClient = Pick<OlderClient, 'listTools' | 'callTool' | 'listResources' | 'readResource'> &
  Readonly<{ close: () => Promise<void> }>;

async function connect(version: string): Promise<AnyClient> {
  if (version === '2025-11-25') {
    const client = new OlderClient(info);
    await client.connect(new OlderTransport(url()) as Parameters<OlderClient['connect']>[0]);
    return client;
  }
  const client = new Client(info, { versionNegotiation: { mode: { pin: version } } });
  await client.connect(new StreamableHTTPClientTransport(url()));
  // The two SDKs have types of their own for the same methods.
  return client as unknown as AnyClient;
}

describe.each(['2026-07-28', '2025-11-25'])('a client of %s', (version) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect(version);
  });
  afterAll(() => client?.close());

  async function call(name: string, input: Record<string, unknown>) {
    const result = await client.callTool({ name, arguments: input });
    return result as {
      structuredContent?: unknown;
      content: { text: string }[];
      isError?: boolean;
    };
  }

  type Answer = { data: object; meta: { generatedAt: string } };

  async function getJson(path: string): Promise<Answer> {
    return JSON.parse((await send(server, path)).text);
  }

  /** What the API and a tool say of the same read of the table, which gives pictures other URLs each time. */
  async function ofOneRead<T>(path: string, ask: () => Promise<T>): Promise<[Answer, T]> {
    for (;;) {
      const before = await getJson(path);
      const answer = await ask();
      const after = await getJson(path);
      if (after.meta.generatedAt === before.meta.generatedAt) return [before, answer];
    }
  }

  test('lists five read-only tools with input and output schemas', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'search',
      'fetch',
      'list_events',
      'get_event',
      'list_changes',
    ]);
    for (const { inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema.additionalProperties).toBe(false);
      expect(outputSchema?.type).toBe('object');
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
      expect(description).toMatch(/\.$/);
    }
    const [, , list] = tools;
    const statuses = ['upcoming', 'ongoing', 'ended'];
    expect(list?.inputSchema.properties).toMatchObject({
      status: { anyOf: [{ enum: statuses }, { type: 'array', items: { enum: statuses } }] },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
    });
  });

  // mcpx 28, claude-ai-mcp 485, OfficeCLI 419, copilot-cli 4623, skyvern 8611 and backstage 34038.
  test('schemas have nothing that clients or their models refuse', async () => {
    const { tools } = await client.listTools();
    for (const { name, inputSchema, outputSchema } of tools) {
      for (const schema of [inputSchema, outputSchema ?? {}]) {
        expect(Object.keys(schema), name).not.toContain('anyOf');
        expect(Object.keys(schema), name).not.toContain('oneOf');
        expect(Object.keys(schema), name).not.toContain('allOf');
        expect(Object.keys(schema), name).not.toContain('$ref');
      }
      for (const part of listSchemas(inputSchema)) {
        expect(part.type === undefined || typeof part.type === 'string', name).toBe(true);
        if (part.type === 'array') expect(part.items, name).toMatchObject({ type: 'string' });
        for (const key of ['oneOf', 'allOf', '$ref', 'propertyNames', 'const']) {
          expect(part, name).not.toHaveProperty(key);
        }
      }
    }
  });

  test('get_event and list_events return the JSON of the API', async () => {
    const { id, slug } = server.events[0] ?? { id: '', slug: '' };
    const [event, found] = await ofOneRead(`/api/v1/events/${id}`, () =>
      call('get_event', { id: slug }),
    );
    expect(found.structuredContent).toEqual(event);
    const [list, { structuredContent }] = await ofOneRead(
      '/api/v1/events?status=upcoming&order=asc&limit=100',
      () => call('list_events', { status: ['upcoming'], order: 'asc', limit: 100 }),
    );
    const styling = { background: 0, theme: 0, pictures: 0, logoUrl: 0 };
    const listed = structuredContent as { data: object[]; meta: { total: number } };
    expect(listed.data.map((event) => ({ ...event, ...styling }))).toEqual(
      (list.data as object[]).map((event) => ({ ...event, ...styling })),
    );
    expect(listed.meta).toMatchObject({ ...list.meta, total: listed.data.length });
  });

  test('search leads to fetch, and fetch to the Markdown page', async () => {
    const { structuredContent, content } = await call('search', { query: 'telescope' });
    expect(structuredContent).toEqual(JSON.parse(content[0]?.text ?? ''));
    const { results } = structuredContent as { results: { id: string; url: string }[] };
    const found = results[0] ?? { id: '', url: '' };
    const document = (await call('fetch', { id: found.id })).structuredContent;
    const page = await send(server, `${found.url.slice(siteUrl.length)}.md`);
    expect(document).toMatchObject({ id: found.id, url: found.url, text: page.text });
  });

  test('an error of a tool is a result that a model can read', async () => {
    const unknown = await call('get_event', { id: 'overnight-at-the-observator' });
    expect(unknown.isError).toBe(true);
    expect(unknown.content[0]?.text).toContain('Did you mean `overnight-at-the-observatory`?');
    const invalid = await call('list_events', { from: '2026-12-02', to: '2026-12-01' });
    expect(invalid.isError).toBe(true);
    expect(invalid.content[0]?.text).toContain('Swap them');
  });

  test('the documentation and events are resources at their URLs', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      docsPaths.map((path) => `${siteUrl}${path}.md`),
    );
    for (const path of ['/docs/agents.md', `/events/${server.slug}.md`]) {
      const { contents } = await client.readResource({ uri: siteUrl + path });
      const { text } = await send(server, path);
      expect(contents).toEqual([{ uri: siteUrl + path, mimeType: 'text/markdown', text }]);
    }
    const missing = client.readResource({ uri: `${siteUrl}/events/nobody.md` });
    await expect(missing).rejects.toThrow(/nobody/);
  });

  test('an unknown tool is an error', async () => {
    const called = call('delete_event', { id: 'x' });
    const outcome = await called.then(
      ({ isError, content }) => (isError ? content[0]?.text : 'no error'),
      (error: Error) => error.message,
    );
    expect(outcome).toContain('delete_event');
  });
});

/** A schema of arguments and the schemas within it. */
function listSchemas(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(listSchemas);
  const { properties, items, anyOf } = schema as Record<string, unknown>;
  const parts = [Object.values(properties ?? {}), items, anyOf].flatMap(listSchemas);
  return [schema as Record<string, unknown>, ...parts];
}
