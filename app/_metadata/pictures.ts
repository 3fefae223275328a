/** Addresses of the pictures that messengers show beside a link, and their size in pixels. */
export const pictureSize = { width: 1200, height: 630 } as const;

/** The picture of an event's page. */
export function toEventPicture(slug: string): string {
  return `/og/${encodeURIComponent(slug)}.png`;
}

/** The picture of every other page. */
export const sitePicture = '/og/site.png';
