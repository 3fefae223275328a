import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

export type ReceivedMail = Readonly<{ from: string; to: string[]; raw: string }>;

/** A real SMTP server that stores what it gets. */
export async function startSmtpSink(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const raw = Buffer.concat(chunks).toString();
        mails.push({ from, to: rcptTo.map(({ address }) => address), raw });
        callback();
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
    mails,
    close,
    closeConnection,
    [Symbol.asyncDispose]: close,
  };
}
