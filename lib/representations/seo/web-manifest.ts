import type { Site } from '#lib/events/view/site-urls.ts';

/** The web app manifest (https://www.w3.org/TR/appmanifest/), for home screens. */
export function toWebManifest(site: Site): string {
  const manifest = {
    id: '/',
    name: site.name,
    short_name: site.name.slice(0, 12).trim(),
    description: 'Current and upcoming events for people who make things.',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    lang: 'en',
    dir: 'ltr',
    background_color: '#f2f2ef',
    theme_color: '#141414',
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [
      { name: 'Documentation', url: '/docs' },
      { name: 'AI models', url: '/models' },
    ],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
