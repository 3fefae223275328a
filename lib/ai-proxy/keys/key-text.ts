import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.ts';

const form = /^mq_[0-9A-Za-z]{49}$/;
const checkedLength = 'mq_'.length + 43;
const hintLength = 'mq_'.length + 5;

/** A new key: `mq_`, 43 characters of base62 (256 bits by chance), and 6 of checksum. */
export function makeKeyText(): string {
  const checked = `mq_${randomBase62(43)}`;
  return checked + toChecksum(checked);
}

/**
 * Whether a text has the form of a key and its checksum: what was cut off, mistyped, or is some other
 * service's key is known for that without asking any database. It says nothing about being in force.
 */
export function isKeyText(text: string): boolean {
  return form.test(text) && text.slice(checkedLength) === toChecksum(text.slice(0, checkedLength));
}

/** How a key begins: enough for people to tell keys apart, and nothing for anyone to guess with. */
export function toKeyHint(text: string): string {
  return `${text.slice(0, hintLength)}…`;
}

function toChecksum(checked: string): string {
  return toBase62(crc32(checked), 6);
}
