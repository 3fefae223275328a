import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

export type ReceivedMail = Readonly<{ from: string; to: string[]; raw: string }>;

/** A real SMTP server that stores what it gets, and can leave mails without a reply: for their sender they stay under way. */
export async function startSmtpSink(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const held: ReceivedMail[] = [];
  const waiting: (() => void)[] = [];
  let repliesLeft = Number.POSITIVE_INFINITY;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const raw = Buffer.concat(chunks).toString();
        const mail = { from, to: rcptTo.map(({ address }) => address), raw };
        mails.push(mail);
        if (mails.length <= repliesLeft) {
          callback();
          return;
        }
        held.push(mail);
        waiting.push(callback);
      });
    },
    ...options,
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const closeConnection = (session: SMTPServerSession) => {
    for (const connection of server.connections)
      if (connection.id === session.id) connection.close();
  };
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    /** All that it got, with those it holds. */
    mails,
    held,
    /** Replies to so many mails, and to no more. */
    holdAfter(count: number) {
      repliesLeft = count;
    },
    /** Replies to all. */
    release() {
      repliesLeft = Number.POSITIVE_INFINITY;
      for (const reply of waiting.splice(0)) reply();
    },
    close,
    closeConnection,
    [Symbol.asyncDispose]: close,
  };
}
