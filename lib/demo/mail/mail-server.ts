import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { listen } from '../listen.ts';
import { toInboxPage } from './inbox-page.ts';
import { type ReceivedMail, readMail } from './read-mail.ts';

export type DemoMailServer = Readonly<{
  /** For SMTP_URL. */
  smtpUrl: string;
  /** Where the mails are shown. */
  pageUrl: string;
  close: () => Promise<void>;
}>;

const mailsMax = 200;

/** A mail server on this machine that delivers nothing, and shows what it got. @param port of its page. */
export async function startMailServer({ port }: Readonly<{ port?: number }> = {}) {
  const mails: ReceivedMail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    async onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const to = session.envelope.rcptTo.map(({ address }) => address).join(', ');
      mails.unshift({ ...readMail(Buffer.concat(chunks).toString()), to, receivedAt: new Date() });
      mails.splice(mailsMax);
      callback();
    },
  });
  // A client that goes away is no reason to stop.
  smtp.on('error', () => {});
  const page = await listen(
    createServer((request, response) => respond(mails, request, response)),
    port,
  );
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const server: DemoMailServer = {
    smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    pageUrl: page.url.replace('127.0.0.1', 'localhost'),
    async close() {
      await page.close();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
  return server;
}

function respond(
  mails: readonly ReceivedMail[],
  { url = '/' }: IncomingMessage,
  response: ServerResponse,
): void {
  const [, position] = /^\/(\d+)\.html$/.exec(url) ?? [];
  const mail = position === undefined ? null : mails.at(-1 - Number(position));
  if (mail === undefined || (mail === null && url !== '/')) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such mail.\n');
    return;
  }
  // A mail is shown as a mail program does: nothing of it runs.
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'",
    'Cache-Control': 'no-store',
  });
  response.end(mail === null ? toInboxPage(mails) : mail.html);
}
