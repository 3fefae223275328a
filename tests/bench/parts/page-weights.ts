import type { CDPSession } from 'playwright';
import type { Environment } from '#lib/config/config.ts';
import { launchChromium } from '../../support/clients/chromium.ts';
import { format, printTable } from '../figures.ts';
import { phone } from '../phone.ts';
import { type Checkouts, startCheckout } from '../servers/checkout.ts';
import { findEvent, startEventsTable } from '../servers/events-table.ts';
import { warmUpPage } from '../warm-up-page.ts';

/**
 * Budgets in kB as they come over the wire (brotli, headers included) on a phone's first visit, with
 * everything that the page loads at the first touch.
 */
const budgetsKb = {
  '/': { html: 30, css: 12, js: 170, fonts: 140, images: 80, other: 5 },
  event: { html: 24, css: 12, js: 150, fonts: 116, images: 40, other: 5 },
  '/docs/api': { html: 36, css: 12, js: 150, fonts: 116, images: 5, other: 5 },
} as const;

type Kind = keyof (typeof budgetsKb)['/'];
const kinds = Object.keys(budgetsKb['/']) as Kind[];

type LoadedFile = Readonly<{ path: string; kind: Kind; bytes: number }>;

/** Compares the bytes of pages with their budgets. Where one is exceeded, its files are listed and the run fails. */
export async function benchPageWeights({ current, other }: Checkouts): Promise<void> {
  const { airtable, environment } = await startEventsTable();
  const currentFiles = await measurePages(current, environment);
  const otherFiles = other === null ? null : await measurePages(other, environment);
  const rows: string[][] = [];
  const complaints: string[] = [];
  for (const [page, budgets] of Object.entries(budgetsKb)) {
    const files = currentFiles.get(page) ?? [];
    for (const kind of kinds) {
      const bytes = sumBytes(files, kind);
      const isWithin = bytes <= budgets[kind] * 1000;
      const before = otherFiles && sumBytes(otherFiles.get(page) ?? [], kind);
      const verdict = isWithin ? 'within' : 'exceeded';
      rows.push([
        page,
        kind,
        toKb(bytes),
        String(budgets[kind]),
        verdict,
        before === null ? '' : toKb(before),
      ]);
      if (!isWithin)
        complaints.push(
          toComplaint(
            `${page}, ${kind}`,
            files.filter((file) => file.kind === kind),
            otherFiles?.get(page),
          ),
        );
    }
  }
  printTable(['page', 'kind', 'kB', 'budget', '', 'other kB'], rows);
  if (complaints.length > 0) {
    process.stdout.write(`\n${complaints.join('\n')}\n`);
    process.exitCode = 1;
  }
  await airtable.close();
}

async function measurePages(
  checkout: Checkouts['current'],
  environment: Environment,
): Promise<Map<string, LoadedFile[]>> {
  const server = await startCheckout(checkout, { environment });
  const browser = await launchChromium();
  try {
    const { path } = await findEvent(server.url);
    const weights = new Map<string, LoadedFile[]>();
    for (const page of Object.keys(budgetsKb)) {
      const url = server.url + (page === 'event' ? path : page);
      await warmUpPage(url);
      const context = await browser.newContext(phone);
      const tab = await context.newPage();
      const files = await watchFiles(await context.newCDPSession(tab));
      await tab.goto(url, { waitUntil: 'networkidle' });
      await tab.mouse.move(10, 10);
      await tab.keyboard.press('Tab');
      await tab.waitForTimeout(1_000);
      weights.set(page, files);
      await context.close();
    }
    return weights;
  } finally {
    await browser.close();
    await server.stop();
  }
}

function toKind(mimeType: string): Kind {
  if (mimeType === 'text/html') return 'html';
  if (mimeType === 'text/css') return 'css';
  if (mimeType.endsWith('/javascript')) return 'js';
  if (mimeType.startsWith('font/')) return 'fonts';
  return mimeType.startsWith('image/') ? 'images' : 'other';
}

/** Collects what a tab loads from now on. */
async function watchFiles(devtools: CDPSession): Promise<LoadedFile[]> {
  const files: LoadedFile[] = [];
  const requests = new Map<string, Pick<LoadedFile, 'path' | 'kind'>>();
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname, search, protocol } = new URL(response.url);
    if (!protocol.startsWith('http')) return;
    requests.set(requestId, { path: pathname + search, kind: toKind(response.mimeType) });
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    // 0: from the browser's cache.
    if (request && encodedDataLength > 0) files.push({ ...request, bytes: encodedDataLength });
  });
  await devtools.send('Network.enable');
  return files;
}

function toComplaint(
  title: string,
  files: readonly LoadedFile[],
  others: readonly LoadedFile[] | undefined,
): string {
  const known = others && new Set(others.map(({ path }) => path));
  const lines = files
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 8)
    .map(
      ({ path, bytes }) =>
        `  ${toKb(bytes)} kB  ${path}${known && !known.has(path) ? '  (new)' : ''}`,
    );
  return `${title} exceeds its budget; the largest files:\n${lines.join('\n')}`;
}

function sumBytes(files: readonly LoadedFile[], kind: Kind): number {
  return files.reduce((sum, file) => sum + (file.kind === kind ? file.bytes : 0), 0);
}

const toKb = (bytes: number) => format(bytes / 1000, 1);
