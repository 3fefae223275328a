import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chatPath,
  messagesPath,
  responsesPath,
  startProxyWith,
} from '../../support/servers/in-process-proxy.ts';
import { watchEnds } from '../../support/servers/watch-ends.ts';
import {
  type BillCase,
  billKinds,
  billPaths,
  hasPath,
  type Path,
  toBillCases,
  toPricingOf,
} from '../../support/upstreams/bill-kinds.ts';
import { halfToken } from '../../support/upstreams/billed-replies.ts';
import {
  type BillingUpstream,
  startBillingUpstream,
} from '../../support/upstreams/billing-upstream.ts';
import { waitFor } from '../../support/wait-for.ts';

const concurrentClients = 32;
const lateTriesMax = 5;
/** Each sum is rounded up to a billionth of a dollar. */
const slackNanoUsd = 2;

const cases = toBillCases();
const charged = new Map<string, Charged>();
let upstream: BillingUpstream;

type TestProxy = Awaited<ReturnType<typeof startProxyWith>>;

type Charged = Readonly<{
  tokens: number;
  /** Null: unknown. */
  nanoUsd: number | null;
  isEstimated: boolean;
}>;

beforeAll(async () => {
  const byModel = new Map(cases.map((billCase) => [billCase.model, billCase]));
  upstream = await startBillingUpstream({
    models: Object.fromEntries(cases.map((billCase) => [billCase.model, toListing(billCase)])),
    toScript({ model }) {
      const billCase = byModel.get(model);
      if (billCase === undefined) throw new Error(`There is no case ${model}.`);
      return { ...billCase.kind.script, outcome: billCase.outcome };
    },
  });
  const proxy = await startProxyWith(toFile(upstream.origin));
  // A key for each path, so that no breaker blames one key for all.
  const keys = new Map<Path, string>();
  for (const path of billPaths) keys.set(path, (await proxy.makeKey()).text);
  const left = [...cases];
  const runCases = async () => {
    for (let billCase = left.pop(); billCase !== undefined; billCase = left.pop()) {
      // The wait for a late reply may end before a busy machine has sent the request.
      const triesMax = billCase.kind.isLate === true ? lateTriesMax : 1;
      for (let tries = 0; tries < triesMax && !hasReached(billCase); tries++) {
        await runCase(proxy, billCase, keys.get(billCase.path) ?? '');
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrentClients }, runCases));
    await waitFor(() => expect(upstream.open()).toBe(0));
    await waitFor(() => expect(countOpenRecords(proxy)).toBe(0));
    await proxy.services.aiProxy.close();
    readCharges(proxy);
  } finally {
    await proxy[Symbol.asyncDispose]();
  }
});
afterAll(() => upstream?.[Symbol.asyncDispose]());

describe.each(billPaths)('%s', (path) => {
  const kinds = billKinds.filter((kind) => hasPath(kind, path));

  test.each(kinds)('$name is charged as the upstream bills it, or more as an estimate', (kind) => {
    const ofKind = cases.filter((billCase) => billCase.path === path && billCase.kind === kind);
    expect(ofKind.flatMap(findProblems)).toEqual([]);
  });
});

test('the table has forty kinds and more, and a reason for each gap', () => {
  expect(billKinds.length).toBeGreaterThanOrEqual(40);
  const gaps = billKinds.filter(
    ({ apis, paths, modes, outcomes }) => apis ?? paths ?? modes ?? outcomes,
  );
  expect(gaps.filter(({ because }) => because === undefined)).toEqual([]);
});

function toListing({ kind }: BillCase) {
  const pricing = toPricingOf(kind);
  return pricing === null ? {} : { pricing };
}

function toFile(origin: string): object {
  const upstreams = ['native', 'translated', 'native-late', 'translated-late'].map((name) => ({
    name,
    url: `${origin}/${name}/v1`,
    keyEnv: 'UPSTREAM_KEY',
    protocols: name.startsWith('native') ? ['chat', 'responses', 'messages'] : ['chat'],
    ...(name.endsWith('late') && { timeoutSeconds: { firstByte: 1 } }),
  }));
  return { upstreams, models: [] };
}

async function runCase({ post }: TestProxy, billCase: BillCase, key: string): Promise<void> {
  using ends = watchEnds();
  const client = new AbortController();
  const requestId = billCase.model.replaceAll('/', '-');
  const init = { signal: client.signal, headers: { 'X-Request-Id': requestId } };
  const half = Promise.withResolvers<void>();
  const ended = post(toPath(billCase.path), key, toBody(billCase), init)
    .then((response) => read(response, half.resolve))
    .catch(() => {});
  if (billCase.outcome === 'left') {
    await Promise.race([upstream.reached(billCase.model), ended]);
    // Otherwise it depends on the machine what the proxy has read.
    if (isStreamed(billCase)) await Promise.race([half.promise, ended]);
    client.abort();
    await ended;
    await ends.untilEnded(requestId);
    upstream.release(billCase.model);
  }
  await ended;
}

function isStreamed({ mode, kind }: BillCase): boolean {
  const { status = 200, isJsonOnly = false, waitMs = 0 } = kind.script;
  return mode === 'stream' && status === 200 && !isJsonOnly && waitMs === 0;
}

async function read({ body }: Response, onHalf: () => void): Promise<void> {
  let text = '';
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.includes(halfToken)) onHalf();
  }
}

function toPath(path: Path): string {
  if (path === 'chat') return chatPath;
  return path.startsWith('responses') ? responsesPath : messagesPath;
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** A hundred tokens. */
const prompt = 'abc '.repeat(100);

function toBody({ model, path, mode, kind }: BillCase): object {
  const common = {
    model,
    stream: mode === 'stream',
    ...(kind.asksFor === 'cache' && { cache_control: { type: 'ephemeral' } }),
  };
  const hasImage = kind.asksFor === 'image';
  const url = `data:image/png;base64,${pixel}`;
  if (path === 'chat') {
    const image = { type: 'image_url', image_url: { url } };
    const content = hasImage ? [{ type: 'text', text: prompt }, image] : prompt;
    return {
      ...common,
      messages: [{ role: 'user', content }],
      ...(kind.asksFor === 'choices' && { n: 3 }),
    };
  }
  if (path.startsWith('responses')) {
    const image = { type: 'input_image', image_url: url, detail: 'auto' };
    const content = [{ type: 'input_text', text: prompt }, image];
    return { ...common, input: hasImage ? [{ role: 'user', content }] : prompt };
  }
  const source = { type: 'base64', media_type: 'image/png', data: pixel };
  const content = hasImage
    ? [
        { type: 'text', text: prompt },
        { type: 'image', source },
      ]
    : prompt;
  return { ...common, max_tokens: 1000, messages: [{ role: 'user', content }] };
}

/** Whose reply is still being settled. */
function countOpenRecords({ dataDir }: TestProxy): unknown {
  using database = new DatabaseSync(join(dataDir, 'marquee.db'), { readOnly: true });
  const sql = 'select count(*) as count from marquee_usage where is_counted = 0';
  return database.prepare(sql).get()?.count;
}

function readCharges({ dataDir }: TestProxy): void {
  using database = new DatabaseSync(join(dataDir, 'marquee.db'), { readOnly: true });
  const rows = database
    .prepare(
      `select model, sum(tokens_in + tokens_out) as tokens, sum(cost_nano_usd) as nanoUsd,
        max(is_estimated) as isEstimated
      from marquee_usage group by model`,
    )
    .all();
  for (const { model, tokens, nanoUsd, isEstimated } of rows) {
    charged.set(String(model), {
      tokens: Number(tokens),
      nanoUsd: nanoUsd === null ? null : Number(nanoUsd),
      isEstimated: Number(isEstimated) === 1,
    });
  }
}

function hasReached(billCase: BillCase): boolean {
  return upstream.requests.some(({ model }) => model === billCase.model);
}

function findProblems(billCase: BillCase): readonly string[] {
  const { model, kind, mode, outcome } = billCase;
  const at = `${mode}, ${outcome}:`;
  if (!hasReached(billCase)) {
    return [`${at} it did not reach the upstream`];
  }
  const bill = upstream.billOf(model);
  const billed = {
    tokens: bill.reduce((sum, { tokens }) => sum + tokens, 0),
    nanoUsd: bill.reduce((sum, { usd }) => sum + usd, 0) * 1e9,
  };
  const charge = charged.get(model);
  if (charge === undefined) return [`${at} it has no record`];
  if (kind.isCounted && outcome === 'complete' && charge.isEstimated) {
    return [`${at} it is an estimate`];
  }
  const tokens = compare(`${at} tokens`, charge, charge.tokens - billed.tokens, 0, billed.tokens);
  if (outcome === kind.withoutCost && mode === 'json') {
    return [...tokens, ...(charge.nanoUsd === null ? [] : [`${at} it has a cost`])];
  }
  const nanoUsd = (charge.nanoUsd ?? 0) - billed.nanoUsd;
  return [
    ...tokens,
    ...compare(`${at} nanodollars`, charge, nanoUsd, slackNanoUsd, billed.nanoUsd),
  ];
}

function compare(
  what: string,
  { isEstimated }: Charged,
  difference: number,
  slack: number,
  billed: number,
): readonly string[] {
  if (Math.abs(difference) <= slack) return [];
  if (difference > 0 && isEstimated) return [];
  const shown = Math.round(Math.abs(difference));
  return [
    `${what} ${shown} ${difference < 0 ? 'too few' : 'too many'} of ${Math.round(billed)}${isEstimated ? ', as an estimate' : ''}`,
  ];
}
