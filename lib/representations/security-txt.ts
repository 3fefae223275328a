import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';

type Contact = Readonly<{ contactUrl: string; now: number }>;

/** RFC 9116 §2.5.5: less than a year ahead. As the setting is read at each start, half of it is enough. */
const validForMs = 180 * 86_400_000;

/** Whom to tell about a vulnerability. */
export function toSecurityTxt(site: Site, { contactUrl, now }: Contact): string {
  return [
    `Contact: ${contactUrl}`,
    `Expires: ${new Date(now + validForMs).toISOString().slice(0, 10)}T00:00:00Z`,
    'Preferred-Languages: en',
    `Canonical: ${pageUrl(site, 'securityTxt')}`,
    '',
  ].join('\n');
}
