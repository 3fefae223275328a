import type { NodemailerError } from 'nodemailer';
import SmtpConnection from 'nodemailer/lib/smtp-connection';

/** A mail that the relay did not take. */
export class SmtpError extends Error {
  override readonly name = 'SmtpError';
  /**
   * `address`: there is no such mailbox. `relay`: the relay refuses for another reason, so it or its settings are at
   * fault. `later`: it is away, or asks to try again.
   */
  readonly kind: 'address' | 'relay' | 'later';
  /** In a few words, without what the relay has written: `550 5.1.1 at RCPT TO`. */
  readonly result: string;

  constructor(kind: SmtpError['kind'], result: string) {
    super(`The mail server did not take a mail: ${result}.`);
    this.kind = kind;
    this.result = result;
  }
}

/** RFC 3463 §3.2: bad destination. 5.1.7 and 5.1.8 are about the sender. */
const badAddress = /^5\.1\.(?![78]$)\d{1,3}$/;
const bareStatuses: readonly number[] = [550, 551, 553];

/**
 * Judges why a mail to one recipient was not taken.
 * @param acceptedBefore how many recipients the relay has accepted in the same session: without any, a refusal that
 * gives no reason may well be for everybody.
 */
function toSmtpError(thrown: NodemailerError, acceptedBefore: number): SmtpError {
  const {
    responseCode: status,
    response = '',
    command = '',
    code,
  } = thrown.rejectedErrors?.[0] ?? thrown;
  if (status === undefined) {
    return new SmtpError('later', code === 'ETIMEDOUT' ? 'timed out' : 'no reply');
  }
  const [, enhanced] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(response) ?? [];
  const result = [status, enhanced, command && `at ${command}`].filter(Boolean).join(' ');
  if (status < 500) return new SmtpError('later', result);
  const isOfAddress =
    enhanced === undefined
      ? bareStatuses.includes(status) && acceptedBefore > 0
      : badAddress.test(enhanced);
  return new SmtpError(command === 'RCPT TO' && isOfAddress ? 'address' : 'relay', result);
}

type Envelope = Readonly<{ from: string; to: string }>;

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
