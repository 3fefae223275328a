import type { NodemailerError } from 'nodemailer';

/** A mail that the relay did not take. */
export class SmtpError extends Error {
  override readonly name = 'SmtpError';
  /**
   * `address`: there is no such mailbox. `relay`: the relay refuses for another reason, so it or its settings are at
   * fault. `away`: it cannot be reached, whatever the mail is. `busy`: it has no session left. `later`: it asks to try again,
   * or the reason is not known.
   */
  readonly kind: 'address' | 'relay' | 'away' | 'busy' | 'later';
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

/** Nodemailer gives each of its errors a code. */
export function isNodemailerError(error: unknown): error is NodemailerError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/**
 * Judges why a mail to one recipient was not taken.
 * @param acceptsOthers whether the relay has just accepted another recipient: without that, a refusal that gives no
 * reason may well be for everybody.
 */
export function toSmtpError(
  thrown: NodemailerError,
  { acceptsOthers }: Readonly<{ acceptsOthers: boolean }>,
): SmtpError {
  const {
    responseCode: status,
    response = '',
    command = '',
    code,
  } = thrown.rejectedErrors?.[0] ?? thrown;
  if (status === undefined) {
    const result = code === 'ETIMEDOUT' ? 'timed out' : 'no reply';
    return new SmtpError(isUnreachable(thrown) ? 'away' : 'later', result);
  }
  const [, enhanced] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(response) ?? [];
  const result = [status, enhanced, command && `at ${command}`].filter(Boolean).join(' ');
  // Before the session begins, it is about no mail.
  if (status < 500) return new SmtpError(command === 'CONN' ? 'busy' : 'later', result);
  const isOfAddress =
    enhanced === undefined
      ? bareStatuses.includes(status) && acceptsOthers
      : badAddress.test(enhanced);
  return new SmtpError(command === 'RCPT TO' && isOfAddress ? 'address' : 'relay', result);
}

/** Nothing of the mail was sent: its host has no address, or accepts no connection, or says nothing on it. */
function isUnreachable({ code, syscall, timeoutType }: NodemailerError): boolean {
  const isSilent = timeoutType === 'CONNECT_TIMEOUT' || timeoutType === 'GREETING_TIMEOUT';
  return code === 'EDNS' || syscall === 'connect' || isSilent;
}
