import { hash } from 'node:crypto';
import { bulkhead } from 'cockatiel';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { shortenText } from '#lib/events/view/clean-text.ts';
import { toDatesInWords } from '#lib/events/view/dates-in-words.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { createRepresentation, type Representation } from '#lib/http/representation.ts';
import type { FindOrigin, Pictures } from '../pictures/pictures.ts';
import type { FileStore } from '../store/file-store.ts';
import { drawCard, drawSiteCard } from './draw-og-image.ts';
import { toCardColors } from './og-image-colors.ts';

/** The pictures that messengers show beside a link. */
export type Cards = Readonly<{
  /** An event's card, drawn in its own look; JPEG. */
  drawEvent: (event: MarqueeEvent, findOrigin: FindOrigin) => Promise<Uint8Array>;
  /** The card of the site as a whole. */
  drawSite: () => Promise<Representation>;
}>;

export type CardsOptions = Readonly<{
  pictures: Pictures;
  store: FileStore;
  site: Site;
  /** Unix time in ms. */
  now?: () => number;
}>;

/** Changes with what cards look like, so that none of an older look is served. */
const edition = 2;
const group = 'cards';

/** Cards are kept by what they show: a new one is drawn when an event says something else. */
export function createCards({ pictures, store, site, now = Date.now }: CardsOptions): Cards {
  // One at a time. Not more wait than there are events: each is drawn once for all callers.
  const drawing = bulkhead(1, Number.POSITIVE_INFINITY);
  let siteCard: Promise<Representation> | null = null;

  async function drawEvent(event: MarqueeEvent, findOrigin: FindOrigin): Promise<Uint8Array> {
    const { background, logo } = toShownPictures(event);
    const load = (id: string | undefined) =>
      id === undefined ? null : pictures.loadMaster(id, findOrigin);
    const [backgroundBytes, logoBytes] = await Promise.all([load(background), load(logo)]);
    const words = toWords(event, site);
    // By what it really shows: without a picture that could not be had, it is another card.
    const shown = [edition, words, backgroundBytes && background, logoBytes && logo];
    const name = `${hash('sha256', JSON.stringify(shown)).slice(0, 40)}.jpg`;
    // Who sends cards keeps those of the current events at hand.
    const key = { group, name, isRare: true } as const;
    const kept = await store.read(key);
    if (kept !== null) return kept.bytes;
    const content = { ...words, background: backgroundBytes, logo: logoBytes };
    const drawn = await drawing.execute(() => drawCard(content));
    return (await store.write(key, drawn)).bytes;
  }

  async function makeSiteCard(): Promise<Representation> {
    const body = await drawing.execute(() => drawSiteCard(site.name));
    return createRepresentation({ contentType: 'image/jpeg', body, lastModifiedMs: now() });
  }

  return {
    drawEvent,
    drawSite() {
      siteCard ??= makeSiteCard().catch((error: unknown) => {
        siteCard = null;
        throw error;
      });
      return siteCard;
    },
  };
}

function toShownPictures({ background, pictures }: MarqueeEvent) {
  const image = background?.type === 'image' ? pictures.background : null;
  return { background: image?.id, logo: pictures.logo?.id };
}

function toWords(event: MarqueeEvent, site: Site) {
  const { name, inPerson, format } = event;
  const place = inPerson?.location ?? (format === 'online' ? 'online' : null);
  // Without a day to compare with, the words stay true for as long as the card is kept.
  const details = [toDatesInWords(event), ...(place === null ? [] : [shortenText(place, 60)])];
  const colors = toCardColors(event);
  return { name, details: details.join(' · '), siteName: site.name, colors };
}
