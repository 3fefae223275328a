import { hash } from 'node:crypto';
import PQueue from 'p-queue';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { freshnessOfContent } from '#lib/events/respond-from-snapshot.ts';
import { requireEvent } from '#lib/events/search/require-event.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import { findAttachment } from '#lib/events/source/snapshot.ts';
import { toPlace, toStateInWords, toTimesInWords } from '#lib/events/view/event-facts.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { shortenText } from '#lib/events/words/clean-text.ts';
import { toTextAttributes } from '#lib/events/words/event-language.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import {
  createRepresentation,
  type Representation,
  respondWith,
} from '#lib/http/representations/representation.ts';
import { crossOriginHeaders } from '#lib/http/security-headers.ts';
import { createSingleFlight } from '#lib/http/single-flight.ts';
import type { FindOrigin, Pictures } from '../pictures/pictures.ts';
import type { FileStore } from '../store/file-store.ts';
import { toOgGroup } from '../store/prune-store.ts';
import { drawEventOgImage, drawSiteOgImage, toOgImageColors } from './draw-og-image.ts';

/** Open Graph images: the previews that messengers show beside a link. */
export type OgImages = Readonly<{
  /** The JPEG of an event, from the store or newly drawn. */
  loadEvent: (event: MarqueeEvent, findOrigin: FindOrigin) => Promise<Uint8Array>;
  /** The image of pages that are not about one event. */
  loadSite: () => Promise<Representation>;
}>;

type OgImagesOptions = Readonly<{
  pictures: Pictures;
  store: FileStore;
  site: Site;
  /** Unix time in ms. */
  now?: () => number;
}>;

/** Increase it with every change of the design: it is part of the stored file's name. */
const designVersion = 4;

/** Stores each image under a hash of its content, so that a changed event gets a new one. */
export function createOgImages({
  pictures,
  store,
  site,
  now = Date.now,
}: OgImagesOptions): OgImages {
  // Its work is done by threads of libvips, so pages do not wait for it.
  const queue = new PQueue({ concurrency: 1 });
  const drawing = createSingleFlight<Uint8Array>();
  let siteImage: Promise<Representation> | null = null;

  async function loadEvent(event: MarqueeEvent, findOrigin: FindOrigin): Promise<Uint8Array> {
    const { background, logo } = toPictureIds(event);
    const load = (id: string | undefined) =>
      id === undefined ? null : pictures.loadOriginal(id, findOrigin);
    const [backgroundBytes, logoBytes] = await Promise.all([load(background), load(logo)]);
    const text = toText(event, site);
    // A picture that is unavailable now is left out of the name too.
    const content = [designVersion, text, backgroundBytes && background, logoBytes && logo];
    const name = `${hash('sha256', JSON.stringify(content)).slice(0, 40)}.jpg`;
    // The response cache has the images of current events in memory.
    const key = { group: toOgGroup(event.id), name, skipMemory: true } as const;
    const stored = await store.read(key);
    if (stored !== null) return stored.bytes;
    const draw = async () => {
      const pictures = { background: backgroundBytes, logo: logoBytes };
      return (await store.write(key, await drawEventOgImage({ ...text, ...pictures }))).bytes;
    };
    return drawing.run(name, () => queue.add(draw));
  }

  async function drawSite(): Promise<Representation> {
    const body = await drawSiteOgImage(site.name);
    return createRepresentation({
      contentType: 'image/jpeg',
      body,
      lastModifiedMs: now(),
      headers: crossOriginHeaders,
    });
  }

  return {
    loadEvent,
    loadSite() {
      siteImage ??= drawSite().catch((error: unknown) => {
        siteImage = null;
        throw error;
      });
      return siteImage;
    },
  };
}

function toPictureIds({ background, pictures }: MarqueeEvent) {
  const image = background?.type === 'image' ? pictures.background : null;
  return { background: image?.id, logo: pictures.logo?.id };
}

function toText(event: MarqueeEvent, site: Site) {
  const { name, state, format } = event;
  const place = toPlace(event) ?? (format === 'online' ? 'online' : null);
  // Absolute dates only: a stored image outlives words such as “tomorrow”.
  const details = [toTimesInWords(event), ...(place === null ? [] : [shortenText(place, 60)])];
  const colors = toOgImageColors(event);
  const words = { name, details: details.join(' · '), state: toStateInWords(state) };
  const isRightToLeft = toTextAttributes(event).dir === 'rtl';
  return { ...words, isRightToLeft, siteName: site.name, colors };
}

type Parts = Readonly<{
  ogImages: OgImages;
  events: EventsLoader;
}>;

const extension = '.jpg';
const siteImageMaxAgeSeconds = 86_400;

/**
 * Responds with the Open Graph image of an event. It is cached no longer than the event's data.
 * @param file the event's id or slug with `.jpg`.
 * @throws HttpError 404 for an unknown event or another extension.
 */
export async function respondWithEventOgImage(
  request: Request,
  parts: Parts,
  file: string,
): Promise<Response> {
  const name = decodePathSegment(file);
  if (!name.endsWith(extension)) {
    throw createApiError('not_found', {
      message: 'There is no such file.',
      hint: `The image of an event is \`{id}${extension}\`, in lower case.`,
    });
  }
  const snapshot = await parts.events.current();
  const event = await requireEvent(snapshot, name.slice(0, -extension.length));
  const findOrigin = async (id: string) => findAttachment(snapshot, id);
  const representation = createRepresentation({
    contentType: 'image/jpeg',
    body: await parts.ogImages.loadEvent(event, findOrigin),
    lastModifiedMs: snapshot.changedAtMs,
    headers: crossOriginHeaders,
  });
  return respondWith(request, representation, freshnessOfContent(snapshot, parts.events));
}

/** Responds with the Open Graph image of the site. */
export async function respondWithSiteOgImage(
  request: Request,
  { ogImages }: Pick<Parts, 'ogImages'>,
): Promise<Response> {
  const cacheControl = `public, max-age=${siteImageMaxAgeSeconds}`;
  return respondWith(request, await ogImages.loadSite(), () => cacheControl);
}
