/** What the pages at `/subscribe/mail/NAME` say. */
export const mailNotices = {
  sent: {
    title: 'Check your inbox',
    lead: 'We have sent you a mail with a link. Open it within two days, and your first mail comes when there is something new.',
    text: 'Nothing there? Look into the spam folder. We write to an address once a day at most, so another try works tomorrow.',
  },
  stopped: {
    title: 'No more mails',
    lead: 'You get no mails from us, and nothing is stored of you any more.',
    text: 'You can subscribe again whenever you like.',
  },
  expired: {
    title: 'This link has expired',
    lead: 'It works for two days, and your address is forgotten after that.',
    text: 'Please subscribe once more.',
  },
} as const;

export type MailNotice = keyof typeof mailNotices;

export function isMailNotice(name: string): name is MailNotice {
  return Object.hasOwn(mailNotices, name);
}
