import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildIfNeeded } from '#lib/cli/build/build-if-needed.ts';
import type { Environment } from '#lib/config/config.ts';
import {
  type ServerProcess,
  type ServerProcessOptions,
  startServerProcess,
} from './server-process.ts';

/** A built checkout of this project, and how its `npm start` starts the server. */
export type Checkout = Readonly<{
  root: string;
  node: string;
  nodeArguments: readonly string[];
  environment: Readonly<Record<string, string>>;
}>;

const thisRoot = resolve(import.meta.dirname, '../../..');

/** Options of every benchmark that starts the server; `parseArgs` reads them. */
export const checkoutOptions = {
  /** The checkout to measure, in place of the one that holds the benchmark. */
  root: { type: 'string', default: thisRoot },
  /** A second checkout, measured in turns with the first. */
  against: { type: 'string' },
} as const;

export type Checkouts = Readonly<{ current: Checkout; other: Checkout | null }>;

/**
 * Builds the current checkout if it is this one and needs it. Others have to be built already.
 * @throws Error if a checkout has no build.
 */
export async function openCheckouts(
  values: Readonly<{ root: string; against?: string | undefined }>,
): Promise<Checkouts> {
  if (resolve(values.root) === thisRoot) await buildIfNeeded();
  return {
    current: openCheckout(values.root),
    other: values.against === undefined ? null : openCheckout(values.against),
  };
}

/** Those that are measured, with what tables call them. */
export function listVersions({ current, other }: Checkouts): [version: string, Checkout][] {
  return other === null
    ? [['current', current]]
    : [
        ['current', current],
        ['other', other],
      ];
}

export function openCheckout(path: string): Checkout {
  const root = resolve(path);
  if (!existsSync(join(root, '.next/BUILD_ID'))) {
    throw new Error(`${root} is not built. Run there: npm ci && npm run build`);
  }
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const words: string[] = scripts.start.split(' ');
  const nodeAt = words.indexOf('node');
  return {
    root,
    node: join(root, 'node_modules/.bin/node'),
    // A local .env must not change what is measured.
    nodeArguments: words.slice(nodeAt + 1).filter((word) => !word.startsWith('--env-file')),
    environment: Object.fromEntries(
      words.slice(0, nodeAt).map((word) => word.split('=') as [string, string]),
    ),
  };
}

/** Starts the server of a checkout with an empty data directory, and without warming up its pictures. */
export function startCheckout(
  checkout: Checkout,
  options: Omit<ServerProcessOptions, 'root' | 'node'> = {},
): Promise<ServerProcess> {
  const { root, node, nodeArguments, environment } = checkout;
  return startServerProcess([...nodeArguments, '--no-warm-up'], {
    ...options,
    root,
    node,
    environment: {
      ...environment,
      DATA_DIR: makeDataDir(),
      SITE_URL: 'https://events.example',
      ...options.environment,
    },
  });
}

/** Starts `next start` of a checkout, without the server of its own. */
export function startNextAlone(
  { root, node }: Checkout,
  environment: Environment,
): Promise<ServerProcess> {
  return startServerProcess(['node_modules/next/dist/bin/next', 'start'], {
    root,
    node,
    path: '/health',
    environment: { DATA_DIR: makeDataDir(), SITE_URL: 'https://events.example', ...environment },
  });
}

/**
 * A key of the AI proxy, made by the checkout's own command line. By default with limits that no benchmark
 * reaches.
 */
export function createKey(
  { root }: Pick<Checkout, 'root'>,
  dataDir: string,
  requestsPerMinute = 1_000_000,
): string {
  // An empty file is an empty database, for versions that do not create one.
  appendFileSync(join(dataDir, 'marquee.db'), '');
  const limits = ['--rpm', String(requestsPerMinute), '--tpd', '1000000000000'];
  const given = ['create', '--name', `bench ${requestsPerMinute}`, ...limits];
  // By npm, since versions have the program in different places.
  return execFileSync('npm', ['run', '-s', 'keys', '--', ...given, '--quiet'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  }).trim();
}

const dataDirs: string[] = [];
process.on('exit', () => {
  for (const path of dataDirs) rmSync(path, { recursive: true, force: true });
});

/** A directory that is removed when the benchmark ends. */
export function makeDataDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'marquee-bench-'));
  dataDirs.push(path);
  return path;
}
