import { readdir, readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { createRepresentation } from '#lib/http/representation.ts';
import type { RepresentationStore } from '#lib/http/representation-store.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import type { AnswerCache } from './answer-cache.ts';
import { sendRepresentation } from './send-representation.ts';

/** Files of the build and of `public/`, as they stood when the process started. */
export type Assets = Readonly<{
  /** @returns null where no file has that path. */
  serve: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    path: string,
  ) => Promise<void> | null;
}>;

type Asset = Readonly<{ file: string; changedAtMs: number; cacheControl: string }>;

/** Their names hold a hash of what is in them. */
const forever = 'public, max-age=31536000, immutable';
const forAnHour = 'public, max-age=3600';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** What is compressed as it stands. */
const compressed: ReadonlySet<string> = new Set(['.png', '.webp', '.woff2']);

type Parts = Readonly<{ representations: RepresentationStore; answers: AnswerCache }>;

/** Finds all files at once, so that an address is looked up in a list and never becomes a path. */
export async function loadAssets(
  root: string,
  { representations, answers }: Parts,
): Promise<Assets> {
  const assets = new Map<string, Asset>([
    ...(await list(join(root, 'public'), '/', forAnHour)),
    ...(await list(join(root, '.next/static'), '/_next/static/', forever)),
  ]);

  async function send(
    { file, changedAtMs, cacheControl }: Asset,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const representation = await representations.get(assets, file, async () =>
      createRepresentation({
        contentType: contentTypes[extname(file)] ?? 'application/octet-stream',
        compression: compressed.has(extname(file)) ? 'none' : 'best',
        body: await readFile(file),
        lastModifiedMs: changedAtMs,
        headers: commonSecurityHeaders,
      }),
    );
    const freshness = () => cacheControl;
    await sendRepresentation(incoming, outgoing, answers, { representation, freshness });
  }

  return {
    serve(incoming, outgoing, path) {
      const asset = assets.get(path);
      return asset === undefined ? null : send(asset, incoming, outgoing);
    },
  };
}

/** Where files change while the process runs. */
export const noAssets: Assets = { serve: () => null };

async function list(folder: string, prefix: string, cacheControl: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry): Promise<[string, Asset]> => {
        const file = join(entry.parentPath, entry.name);
        const path = prefix + relative(folder, file).split(sep).join('/');
        const { mtimeMs } = await stat(file);
        return [path, { file, changedAtMs: mtimeMs, cacheControl }];
      }),
  );
}
