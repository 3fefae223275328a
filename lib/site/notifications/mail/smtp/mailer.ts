import { createTransport } from 'nodemailer';
import { isNodemailerError, SmtpError, toSmtpError } from './smtp-error.ts';

/** A mail to one person. */
export type OutgoingMail = Readonly<{
  /** The same for each attempt. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Readonly<Record<string, string>>;
}>;

export type Mailer = Readonly<{
  /** Hands a mail to the relay, once. The signal ends the attempt. @throws SmtpError */
  send: (mail: OutgoingMail, signal: AbortSignal) => Promise<void>;
  close: () => void;
}>;

type MailerOptions = Readonly<{
  /** SMTP_URL. */
  url: string;
  /** MAIL_FROM. */
  from: string;
  siteName: string;
  /** How many connections stay open at most. */
  sessionsMax?: number;
}>;

/** A connection stays open for the next mail for so long. */
const idleMs = 5_000;
/** Less than an attempt of the outbox may take. */
const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 20_000;
/** A relay that has accepted somebody so recently does not refuse everybody. */
const acceptedRecentlyMs = 60_000;

/** Sends mails through the relay, over a few connections that stay open. */
export function createMailer({ url, from, siteName, sessionsMax = 1 }: MailerOptions): Mailer {
  const transport = createTransport({
    ...toServer(url),
    pool: true,
    maxConnections: sessionsMax,
    // The outbox repeats: the pool might send a mail twice.
    maxRequeues: 0,
    idleTimeout: idleMs,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let acceptedAt = Number.NEGATIVE_INFINITY;

  return {
    async send({ id, to, subject, text, html, headers }, signal) {
      try {
        await transport.sendMail({
          from: { name: siteName, address: from },
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${from.split('@')[1]}>`,
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
          encoding: 'quoted-printable',
          signal,
        });
        acceptedAt = performance.now();
      } catch (error) {
        if (signal.aborted) throw new SmtpError('later', 'timed out');
        if (!isNodemailerError(error)) throw error;
        const acceptsOthers = performance.now() - acceptedAt < acceptedRecentlyMs;
        throw toSmtpError(error, { acceptsOthers });
      }
    },
    close: () => transport.close(),
  };
}

function toServer(text: string) {
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // Otherwise STARTTLS is used where the server offers it. A password is never sent in the clear to another machine.
    requireTLS: !secure && user !== '' && !isLocal,
    ...(user !== '' && { auth: { user, pass } }),
  };
}
