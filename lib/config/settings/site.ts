import { contentSignal, dayOrTime, linkUrl, origin, textLine } from '../setting-schemas.ts';
import { setting } from './setting.ts';

export const siteSettings = {
  SITE_URL: setting(origin.optional(), {
    meaning: 'public URL, used in every absolute link; never taken from the Host header',
    expected: 'an http(s) URL without a path, such as https://events.example',
    unset: '`http://localhost:$PORT`',
  }),
  SITE_NAME: setting(textLine(100).default('Marquee'), {
    meaning: 'name shown in titles, feeds and calendars',
    expected: 'up to 100 characters of text',
  }),
  SITE_ABOUT: setting(textLine(400).optional(), {
    meaning: 'who runs the site and for whom, in the footer',
    expected: 'up to 400 characters of text on one line',
  }),
  SITE_CONTACT_URL: setting(linkUrl, {
    meaning: 'how to reach them, also about vulnerabilities: a page, or `mailto:…`',
    expected: 'an http(s) or mailto URL, such as mailto:hello@events.example',
  }),
  SITE_SUBMIT_URL: setting(linkUrl, {
    meaning: 'where “Submit an event” leads',
    expected: 'an http(s) or mailto URL, such as https://forms.example/new-event',
  }),
  SITE_NOTICE: setting(textLine(300).optional(), {
    meaning: 'what everybody should know now, on all pages, such as when the site is down',
    expected: 'up to 300 characters of text on one line',
  }),
  SITE_NOTICE_URL: setting(linkUrl, {
    meaning: 'a page that says more',
    expected: 'an http(s) or mailto URL, such as https://status.events.example',
  }),
  SITE_NOTICE_UNTIL: setting(dayOrTime, {
    meaning: 'the last day of the notice, or the time of its end, in `EVENTS_TIME_ZONE`',
    expected: 'a day or a time, such as 2026-12-01, 2026-12-01T18:00 or 2026-12-01T17:00Z',
    unset: 'until it is changed',
  }),
  CONTENT_SIGNAL: setting(contentSignal.default('search=yes, ai-input=yes'), {
    meaning: 'permitted uses in robots.txt: `search`, `ai-input`, `ai-train`',
    expected: 'none, or a list of search=yes, ai-input=yes and ai-train=yes (or =no)',
  }),
} as const;
