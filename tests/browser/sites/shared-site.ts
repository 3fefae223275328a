import { demoPeople, type Person } from '#lib/demo/identity/identity-server.ts';
import { startMailServer } from '#lib/demo/mail/mail-server.ts';
import { startMembersSite } from '../../support/members/members-site.ts';
import { sharePictures } from './share-pictures.ts';
import { warmPages } from './warm-pages.ts';

/** 300 characters with markup. */
export const markupName = `<img src=x onerror=alert(1)> ${'<b>Max</b>'.repeat(27)}!`.padEnd(
  300,
  'x',
);
export const longName = `${'<i>Una</i>'.repeat(29)}&amp;`.padEnd(300, 'y');

const toPerson = (subject: string, name: string): Person => ({
  subject,
  name,
  email: `${subject}@makers.example`,
  isVerified: true,
});

/** Tests share the site: each that needs an account for itself has a person. Robin and Kim are admins. */
const people: readonly Person[] = [
  ...demoPeople,
  toPerson('kim', 'Kim Vale'),
  toPerson('noa', 'Noa Brandt'),
  toPerson('lou', 'Lou Okafor'),
  toPerson('ines', 'Ines Roth'),
  toPerson('max', markupName),
  toPerson('una', longName),
  toPerson('tess', 'Tess Amadi'),
  toPerson('ben', 'Ben Castro'),
  toPerson('otto', 'Otto Lind'),
  toPerson('pia', 'Pia Santos'),
];

/** The sample table, the demo's models, accounts and mail. No test changes the table or settings of all. */
export type SharedSite = Readonly<{
  url: string;
  /** Where the mails are shown. */
  inboxUrl: string;
}>;

const variable = 'MARQUEE_SHARED_SITE';

/** Starts the site that all workers share. */
// biome-ignore lint/style/noDefaultExport: Playwright needs it.
export default async function startSharedSite(): Promise<() => Promise<void>> {
  const mail = await startMailServer();
  const { siteUrl, close } = await startMembersSite({
    people,
    settings: {
      ...sharePictures(),
      ADMINS: 'robin@makers.example,kim@makers.example',
      MAIL_FROM: 'events@marquee.example',
      OIDC_NAME: 'the demo',
      SITE_ABOUT: 'Run by volunteers of the Harbour Makers.',
      SITE_CONTACT_URL: 'mailto:hello@events.example',
      SITE_SUBMIT_URL: 'https://forms.example/new?table=events',
      SMTP_URL: mail.smtpUrl,
      WEBHOOK_HOSTS: 'localhost:9',
    },
  });
  await warmPages(siteUrl, ['/', '/events/bench-test', '/docs', '/models', '/account']);
  const site: SharedSite = { url: siteUrl, inboxUrl: mail.pageUrl };
  // Workers inherit the environment.
  process.env[variable] = JSON.stringify(site);
  return async () => {
    await close();
    await mail.close();
  };
}

export function findSharedSite(): SharedSite {
  const site = process.env[variable];
  if (site === undefined) throw new Error('The shared site has not been started.');
  return JSON.parse(site);
}
