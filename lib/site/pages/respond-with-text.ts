import { type SiteNotice, untilNoticeEnds, withNoticeKey } from '#lib/events/view/site-notice.ts';
import { createRepresentation, respondWith } from '#lib/http/representations/representation.ts';
import type { RepresentationStore } from '#lib/http/representations/representation-store.ts';
import type { Freshness, HeaderFields } from '#lib/http/response.ts';

/** A text that changes with a deploy only. */
type StaticText = Readonly<{
  /** Identifies it among all static texts. */
  key: string;
  contentType: string;
  vary?: string;
  headers?: (body: string) => HeaderFields;
  /** That it shows. */
  notice?: SiteNotice | null;
  write: () => string;
}>;

/** When this process started, Unix time in ms: no text can have changed since. */
export const processStartedAtMs = Date.now();

/** How long texts stay fresh. */
export const textFreshness: Freshness = () => 'public, max-age=300';

/** Responds with a static text, which is written once per process. */
export async function respondWithText(
  request: Request,
  { representations }: Readonly<{ representations: RepresentationStore }>,
  { key, contentType, vary, headers, notice = null, write }: StaticText,
): Promise<Response> {
  const representation = await representations.get('static', withNoticeKey(key, notice), () => {
    const body = write();
    return createRepresentation({
      contentType,
      body,
      lastModifiedMs: processStartedAtMs,
      ...(vary !== undefined && { vary }),
      ...(headers !== undefined && { headers: headers(body) }),
    });
  });
  return respondWith(request, representation, untilNoticeEnds(textFreshness, notice));
}
