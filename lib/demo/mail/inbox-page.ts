import { h } from 'hastscript';
import { toDemoPage } from '../demo-page.ts';
import type { ReceivedMail } from './read-mail.ts';

const style = `
body { max-width: 52rem; margin: 3rem auto }
article { margin-top: 2rem; border-top: 1px solid; padding-top: 1rem }
h2 { margin: 0; font-size: 1.25rem }
iframe { width: 100%; height: 26rem; border: 1px solid; color-scheme: light dark }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
`;

/** All mails, the newest first. */
export function toInboxPage(mails: readonly ReceivedMail[]): string {
  return toDemoPage({
    title: 'Mails of the demo',
    style,
    content: [
      h('p', 'They go nowhere else. Reload this page to see new ones.'),
      ...(mails.length === 0 ? [h('p', 'None yet.')] : mails.map(toArticle)),
    ],
  });
}

function toArticle(
  { subject, to, receivedAt, text }: ReceivedMail,
  index: number,
  mails: readonly ReceivedMail[],
) {
  const src = `/${mails.length - 1 - index}.html`;
  return h('article', [
    h('h2', h('a', { href: src }, subject)),
    h('p', `To ${to}, at ${receivedAt.toISOString().slice(11, 19)} (UTC)`),
    h('iframe', { src, title: subject }),
    h('details', [h('summary', 'As text'), h('pre', text)]),
  ]);
}
