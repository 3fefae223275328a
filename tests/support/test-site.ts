import type { Site } from '#lib/formats/site.ts';

export const testSite: Site = { name: 'Marquee', url: 'https://events.example' };
