import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isDecodable, parseTarget, type Target, toCanonicalPath } from '#lib/http/path.ts';
import { createRepresentation, type Representation } from '#lib/http/representation.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';

/** What a page's client program starts from: a script at an address of its own. */
export type PageData = Readonly<{
  address: string;
  /** Names its content: equal data has equal digests, in every instance. */
  digest: string;
  representation: Representation;
}>;

/** Data of pages that were made lately: a browser may ask for it when the page itself is gone. */
export type PageDataStore = Readonly<{
  keep: (script: string, pageUrl: string) => PageData;
  find: (digest: string) => PageData | undefined;
}>;

/** Reads the address of page data: its digest, and the page that it belongs to. */
export function readPageDataAddress(
  url: string,
): Readonly<{ digest: string; page: Target }> | null {
  const [, digest, of] = /^\/_page\/([\w-]{27})\.js\?of=([^&]+)$/.exec(url) ?? [];
  if (digest === undefined || of === undefined || !isDecodable(of)) return null;
  const page = parseTarget(decodeURIComponent(of));
  if (page === null || toCanonicalPath(page.path) !== page.path) return null;
  return isDecodable(page.path) ? { digest, page } : null;
}

const bytesMax = 16 * 1024 * 1024;

export function createPageDataStore(): PageDataStore {
  const kept = new LRUCache<string, PageData>({
    maxSize: bytesMax,
    sizeCalculation: ({ representation }) => Math.ceil(representation.sizeBytes * 1.4) + 1024,
  });
  return {
    keep(script, pageUrl) {
      const digest = hash('sha256', script, 'base64url').slice(0, 27);
      const data: PageData = {
        address: `/_page/${digest}.js?of=${encodeURIComponent(pageUrl)}`,
        digest,
        representation: createRepresentation({
          contentType: 'text/javascript; charset=utf-8',
          body: script,
          lastModifiedMs: Date.now(),
          headers: commonSecurityHeaders,
        }),
      };
      kept.set(digest, data);
      return data;
    },
    find: (digest) => kept.get(digest),
  };
}
