import MailComposer from 'nodemailer/lib/mail-composer';
import { openSmtpSession, SmtpError, type SmtpServer, type SmtpSession } from './smtp-session.ts';

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
  /** Hands a mail to the relay. @throws SmtpError */
  send: (mail: OutgoingMail, signal: AbortSignal) => Promise<void>;
  close: () => void;
}>;

type MailerOptions = Readonly<{
  /** SMTP_URL. */
  url: string;
  /** MAIL_FROM. */
  from: string;
  siteName: string;
}>;

/** A session stays open for the next mail for so long. */
const idleMs = 5_000;

/** Sends mails through the relay, several in a session. */
export function createMailer({ url, from, siteName }: MailerOptions): Mailer {
  const server = toServer(url);
  const idle = new Map<SmtpSession, NodeJS.Timeout>();

  async function take(signal: AbortSignal): Promise<SmtpSession> {
    for (const [session, timer] of idle) {
      clearTimeout(timer);
      idle.delete(session);
      if (session.isOpen()) return session;
    }
    return openSmtpSession(server, signal);
  }

  function giveBack(session: SmtpSession): void {
    const end = () => {
      idle.delete(session);
      session.close();
    };
    if (session.isOpen()) idle.set(session, setTimeout(end, idleMs).unref());
  }

  return {
    async send(mail, signal) {
      const message = await compose(mail, { name: siteName, address: from });
      const session = await take(signal);
      const abort = () => session.close();
      signal.addEventListener('abort', abort, { once: true });
      try {
        await session.send({ from, to: mail.to }, message);
        giveBack(session);
      } catch (error) {
        // After a refused recipient the session goes on; anything else may have left it in the middle of a mail.
        const goesOn = error instanceof SmtpError && error.kind === 'address';
        if (goesOn)
          await session.reset().then(
            () => giveBack(session),
            () => {},
          );
        else session.close();
        throw error;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close() {
      for (const [session, timer] of idle) {
        clearTimeout(timer);
        session.close();
      }
      idle.clear();
    },
  };
}

type Sender = Readonly<{ name: string; address: string }>;

function compose(
  { id, to, subject, text, html, headers }: OutgoingMail,
  from: Sender,
): Promise<Buffer> {
  const composer = new MailComposer({
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    encoding: 'quoted-printable',
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

function toServer(text: string): SmtpServer {
  const url = new URL(text);
  const isSecure = url.protocol === 'smtps:';
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);
  return {
    host,
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    // A password is never sent in the clear to another machine.
    requiresTls: !isSecure && user !== '' && !isLocal,
    credentials: user === '' ? null : { user, pass },
  };
}
