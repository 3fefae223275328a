import { domainToASCII } from 'node:url';

export type MailAddressResult =
  | Readonly<{ ok: true; address: string }>
  /** What is wrong, for people. */
  | Readonly<{ ok: false; problem: string }>;

/** RFC 5321 §4.5.3.1; the whole address with its angle brackets is a path of 256. */
const addressLengthMax = 254;
const localLengthMax = 64;

const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const domain =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * Reads an e-mail address that somebody typed. Letters outside ASCII are taken in a domain alone, which becomes
 * Punycode: few servers take them in front of the @, and there they are mostly look-alikes.
 */
export function parseMailAddress(text: string): MailAddressResult {
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, '');
  if (trimmed === '') return failed('Please write your e-mail address.');
  if (trimmed.length > addressLengthMax) {
    return failed(`An e-mail address has at most ${addressLengthMax} characters.`);
  }
  const at = trimmed.lastIndexOf('@');
  const name = trimmed.slice(0, at);
  if (at < 1) return failed('An e-mail address looks like ada@mail.example.');
  if (/[^\x20-\x7e]/.test(name)) {
    return failed('Before the @, only letters from a to z, digits and a few signs are possible.');
  }
  const host = toHost(trimmed.slice(at + 1));
  if (name.length > localLengthMax || !local.test(name) || !domain.test(host)) {
    return failed('An e-mail address looks like ada@mail.example.');
  }
  const address = `${name}@${host}`.toLowerCase();
  if (address.length > addressLengthMax) {
    return failed(`An e-mail address has at most ${addressLengthMax} characters.`);
  }
  return { ok: true, address };
}

/**
 * The mailbox that an address leads to, as far as one can tell, for limits: without a `+tag`, and with Gmail without
 * dots.
 */
export function toMailbox(address: string): string {
  const [name = '', host = ''] = address.toLowerCase().split('@');
  const [untagged = ''] = name.split('+');
  const isGmail = host === 'gmail.com' || host === 'googlemail.com';
  return isGmail ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged || name}@${host}`;
}

// Control characters and spaces: `domainToASCII` would drop some of them.
function toHost(text: string): string {
  return /[\p{C}\s%@/?#:[\]\\]/u.test(text) ? '' : domainToASCII(text);
}

function failed(problem: string): MailAddressResult {
  return { ok: false, problem };
}
