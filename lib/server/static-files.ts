import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { createRepresentation, respondWith } from '#lib/http/representations/representation.ts';
import type { RepresentationStore } from '#lib/http/representations/representation-store.ts';

/** Files of the build and of `public/`, as they were when the process started. */
export type StaticFiles = Readonly<{
  /** @returns null if no file has that path. */
  respond: (request: Request, path: string) => Promise<Response> | null;
}>;

type StaticFile = Readonly<{ file: string; changedAtMs: number; cacheControl: string }>;

/** For names that hold a hash of the content. */
const immutable = 'public, max-age=31536000, immutable';
const oneHour = 'public, max-age=3600';

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

const compressedTypes: ReadonlySet<string> = new Set(['.png', '.webp', '.woff2']);

/** Has a folder with the static files of each of the last builds, named by the build's id. */
export const staticFilesFolder = '.static';

/** Lists all files once, so that a URL is looked up in a map and never becomes a file path. */
export async function loadStaticFiles(
  root: string,
  representations: RepresentationStore,
): Promise<StaticFiles> {
  // For pages that are still open from before an upgrade.
  const previous = await Promise.all(
    (await listBuilds(root)).map((folder) => list(folder, '/_next/static/', immutable)),
  );
  const files = new Map<string, StaticFile>([
    ...previous.flat(),
    ...(await list(join(root, 'public'), '/', oneHour)),
    ...(await list(join(root, '.next/static'), '/_next/static/', immutable)),
  ]);

  async function send(request: Request, found: StaticFile): Promise<Response> {
    const { file, changedAtMs, cacheControl } = found;
    const representation = await representations.get('static', file, async () =>
      createRepresentation({
        contentType: contentTypes[extname(file)] ?? 'application/octet-stream',
        compression: compressedTypes.has(extname(file)) ? 'none' : 'best',
        body: await readFile(file),
        lastModifiedMs: changedAtMs,
      }),
    );
    return respondWith(request, representation, () => cacheControl);
  }

  return {
    respond(request, path) {
      const found = files.get(path);
      return found === undefined ? null : send(request, found);
    },
  };
}

/** Folders with the static files of the last builds, the newest first. */
export async function listBuilds(root: string): Promise<string[]> {
  const folder = join(root, staticFilesFolder);
  const names = await readdir(folder).catch(() => []);
  const builds = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  );
  return builds.toSorted((a, b) => b.at - a.at).map(({ name }) => join(folder, name));
}

async function list(folder: string, prefix: string, cacheControl: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry): Promise<[string, StaticFile]> => {
        const file = join(entry.parentPath, entry.name);
        const path = prefix + relative(folder, file).split(sep).join('/');
        const { mtimeMs } = await stat(file);
        return [path, { file, changedAtMs: mtimeMs, cacheControl }];
      }),
  );
}
