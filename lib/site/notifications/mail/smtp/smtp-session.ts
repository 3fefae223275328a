import type { NodemailerError } from 'nodemailer';
import SmtpConnection from 'nodemailer/lib/smtp-connection';
import { toSmtpError } from './smtp-failure.ts';

export type Envelope = Readonly<{ from: string; to: string }>;

/** One connection to the relay, for one mail after the other. */
export type SmtpSession = Readonly<{
  /** @throws SmtpError */
  send: (envelope: Envelope, message: Buffer) => Promise<void>;
  /** Gets ready for the next mail after a refused one. @throws SmtpError if the connection has ended. */
  reset: () => Promise<void>;
  /** False once the connection has ended. */
  isOpen: () => boolean;
  close: () => void;
}>;

export type SmtpServer = Readonly<{
  host: string;
  port: number;
  /** TLS from the start. */
  isSecure: boolean;
  /** Without it STARTTLS is used where the server offers it. */
  requiresTls: boolean;
  credentials: Readonly<{ user: string; pass: string }> | null;
}>;

/** Less than an attempt of the outbox may take. */
const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 20_000;

/** Connects and signs in. @throws SmtpError */
export async function openSmtpSession(
  server: SmtpServer,
  signal: AbortSignal,
): Promise<SmtpSession> {
  const { host, port, isSecure, requiresTls, credentials } = server;
  const connection = new SmtpConnection({
    host,
    port,
    secure: isSecure,
    requireTLS: requiresTls,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    dnsTimeout: connectTimeoutMs,
  });
  let isOpen = true;
  let accepted = 0;

  /** Runs one step of the session; what ends the connection ends it, too. */
  function step(run: (done: (error?: NodemailerError | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: NodemailerError) => end(toSmtpError(error, accepted));
      const failClosed = () => fail(new Error('closed'));
      const end = (error?: Error) => {
        connection.off('error', fail).off('end', failClosed);
        if (error === undefined) resolve();
        else reject(error);
      };
      connection.on('error', fail).on('end', failClosed);
      run((error) => (error ? fail(error) : end()));
    });
  }

  function close(): void {
    isOpen = false;
    connection.close();
  }

  connection.on('error', close).on('end', () => {
    isOpen = false;
  });
  signal.addEventListener('abort', close, { once: true });
  try {
    signal.throwIfAborted();
    await step((done) => connection.connect(done));
    if (credentials !== null) await step((done) => connection.login({ ...credentials }, done));
  } catch (error) {
    close();
    throw error;
  } finally {
    signal.removeEventListener('abort', close);
  }
  return {
    async send({ from, to }, message) {
      await step((done) =>
        connection.send({ from, to: [to], size: message.length }, message, done),
      );
      accepted += 1;
    },
    // With pipelining the relay may wait for the refused mail: the connection ends then, as the reply here shows.
    reset: () => step((done) => connection.reset(done)),
    isOpen: () => isOpen,
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      connection.quit();
    },
  };
}
