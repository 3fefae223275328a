/** A public page with one path, as others link to it. */
type SitePage = Readonly<{
  path: string;
  title: string;
  /** What it has, for `/llms.txt`, which lists all. */
  note: string;
  linkedIn: readonly ('header' | 'footer' | 'sitemap')[];
}>;

/** In the order of the navigation. The pages of the documentation have rows of their own. */
export const sitePages: readonly SitePage[] = [
  {
    path: '/',
    title: 'Events',
    note: 'current, upcoming and past events',
    linkedIn: ['header', 'sitemap'],
  },
  {
    path: '/subscribe',
    title: 'Subscribe',
    note: 'calendar and feeds, with filters',
    linkedIn: ['footer', 'sitemap'],
  },
  {
    path: '/calendar',
    title: 'Calendar',
    note: 'the events of this month; add ?month=2026-12 for another one',
    linkedIn: ['header', 'footer', 'sitemap'],
  },
  {
    path: '/recent',
    title: 'Recently announced',
    note: 'the events announced in the last 30 days, newest first',
    linkedIn: ['footer', 'sitemap'],
  },
  {
    path: '/changes',
    title: 'What has changed',
    note: 'events that were announced, moved, cancelled or removed in the last 30 days, newest first',
    linkedIn: ['footer', 'sitemap'],
  },
  {
    path: '/map',
    title: 'Map',
    note: 'all cities with events, each with a page of its own',
    linkedIn: ['header', 'footer', 'sitemap'],
  },
  {
    path: '/saved',
    title: 'My list',
    note: 'how to follow events of your choice by their ids',
    linkedIn: [],
  },
  {
    path: '/models',
    title: 'AI models',
    note: 'language and embedding models',
    linkedIn: ['header', 'sitemap'],
  },
];
