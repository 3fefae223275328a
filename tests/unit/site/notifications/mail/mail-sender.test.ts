import { expect, test } from 'vitest';
import { toMailDelivery } from '#lib/site/notifications/mail/mail-delivery.ts';
import { createMailSender } from '#lib/site/notifications/mail/mail-sender.ts';
import { SmtpError } from '#lib/site/notifications/mail/smtp/smtp-error.ts';

const { payload } = toMailDelivery({
  type: 'alert',
  id: 'mbr_ada',
  to: { memberId: 'mbr_ada' },
  subject: 'A budget',
  lines: ['It is used up.'],
  path: '/account',
});
const delivery = {
  id: 'msg_1',
  kind: 'mail',
  target: 'mail 1',
  payload,
  createdAt: 0,
  attempt: 1,
} as const;
const message = { to: 'ada@mail.example', subject: '', text: '', html: '', headers: {} };

test('each session that the relay refuses is one fewer, down to one, and its mail is not counted', async () => {
  const sender = createMailSender({
    sessionsMax: 3,
    readClock: async () => 0,
    transact: () => Promise.reject(new Error('Nothing was sent.')),
    mailer: {
      send: () => Promise.reject(new SmtpError('busy', '421 at CONN')),
      close: () => {},
    },
    write: async () => ({ ...message, subscriptionId: null, mentions: [] }),
    toMailboxHash: (address) => address,
    onRelayFault: async () => {},
  });
  const left: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    left.push(sender.parallelMax);
    const attempt = await sender.send(delivery, new AbortController().signal);
    expect(attempt).toEqual({ outcome: 'away', result: '421 at CONN' });
  }
  expect(left).toEqual([3, 2, 1, 1]);
});
