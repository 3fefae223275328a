import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { send } from '../../support/clients/http-client.ts';
import { startSiteInProcess } from '../../support/servers/marquee-server.ts';
import type { Question } from './question-table.ts';

const today = '2026-11-26';

type Answer = Readonly<{
  finds: readonly string[];
  /** Whether they are in the order of the answer; the page has sections. */
  isOrdered: boolean;
  without: string | null;
  closest: readonly string[];
}>;

const named = z.object({ name: z.string() }).transform(({ name }) => name);
const closest = z.object({ event: named }).transform(({ event }) => event);
const listSchema = z.object({
  data: z.array(named),
  meta: z.object({ without: z.string().nullish(), closest: z.array(closest).optional() }),
});
const resultsSchema = z.object({
  without: z.string().nullish(),
  results: z.array(z.object({ title: z.string(), isPartial: z.boolean() })),
});

/** Asks the questions of the page, the API and the agents’ tool of one site. */
export function askEverywhere(questions: readonly Question[]): void {
  let site: Awaited<ReturnType<typeof startSiteInProcess>>;
  let client: Client;

  beforeAll(async () => {
    const records = sampleRecords({ today });
    site = await startSiteInProcess(
      { records: () => records, settings: { EVENTS_TIME_ZONE: 'UTC' } },
      { now: () => Date.parse(`${today}T10:00:00Z`) },
    );
    client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${site.url}/mcp`)));
  });

  afterAll(async () => {
    await client?.close();
    await site?.[Symbol.asyncDispose]();
  });

  async function askPage(q: string): Promise<Answer> {
    const { text } = await send(site, `/index.md?q=${encodeURIComponent(q)}`);
    const [found = '', near = ''] = text.split(/^## Closest, without /m);
    const without = /^“(.+?)”/.exec(near)?.[1] ?? null;
    const listNames = (part: string) =>
      [...part.matchAll(/^[|*-] \[(.+?)\]\(/gm)].map(([, name = '']) => name);
    return { finds: listNames(found), isOrdered: false, without, closest: listNames(near) };
  }

  async function askApi(q: string): Promise<Answer> {
    const { text } = await send(site, `/api/v1/events?q=${encodeURIComponent(q)}`);
    const { data, meta } = listSchema.parse(JSON.parse(text));
    return {
      finds: data,
      isOrdered: true,
      without: meta.without ?? null,
      closest: meta.closest ?? [],
    };
  }

  async function askTool(q: string): Promise<Answer> {
    const { structuredContent } = await client.callTool({
      name: 'search',
      arguments: { query: q },
    });
    const { results, without = null } = resultsSchema.parse(structuredContent);
    const titles = (isPartial: boolean) =>
      results.filter((result) => result.isPartial === isPartial).map(({ title }) => title);
    return { finds: titles(false), isOrdered: true, without, closest: titles(true) };
  }

  describe.each([
    ['the page', askPage],
    ['the API', askApi],
    ['the tool', askTool],
  ] as const)('%s answers', (_, ask) => {
    const check = async ({ q, finds, first = [], without, closest = [] }: Question) => {
      const answer = await ask(q);
      expect(answer.finds.toSorted()).toEqual(finds.toSorted());
      if (answer.isOrdered) expect(answer.finds.slice(0, first.length)).toEqual(first);
      expect(answer.without).toBe(without ?? null);
      expect(answer.closest.slice(0, closest.length)).toEqual(closest);
    };
    test.each(questions)('$q', check);
  });
}
