import type { Site } from '#lib/events/view/site-urls.ts';

export const testSite: Site = { name: 'Marquee', url: 'https://events.example' };
