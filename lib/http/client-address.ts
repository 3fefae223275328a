import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { ServerRequest } from 'srvx';

type Incoming = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * The IP address of the client. Proxies append the address that they see to `X-Forwarded-For`, so only as many of
 * its entries are believed as there are proxies of our own in front.
 * @param trustedHops TRUST_PROXY; 0: the header is ignored.
 */
export function readClientAddress({ headers, socket }: Incoming, trustedHops: number): string {
  const own = socket.remoteAddress ?? '';
  if (trustedHops === 0) return toPlain(own);
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
  const hops = forwarded.split(',').map(toPlain).filter(Boolean);
  const address = hops[Math.max(0, hops.length - trustedHops)] ?? '';
  return isIP(address) === 0 ? toPlain(own) : address;
}

/** The same for a web request; empty where it did not come through a server of Node's. */
export function toClientAddress(request: Request, trustedHops: number): string {
  const incoming = (request as ServerRequest).runtime?.node?.req;
  return incoming === undefined ? '' : readClientAddress(incoming as Incoming, trustedHops);
}

/** What one client has: an IPv4 address, or the /64 of an IPv6 address. For limits; a log gets the network below. */
export function groupAddress(address: string): string {
  const plain = toPlain(address);
  return isIP(plain) === 6 ? `${expand(plain).slice(0, 4).join(':')}::/64` : plain;
}

/** The network of an address, such as 203.0.113.0/24 or 2001:db8:1::/48: what a log may contain. */
export function shortenAddress(address: string): string {
  const plain = toPlain(address);
  switch (isIP(plain)) {
    case 4:
      return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
    case 6:
      return `${expand(plain).slice(0, 3).join(':')}::/48`;
    default:
      return 'unknown';
  }
}

/** Without a port, brackets and zone; IPv4 where it is mapped into IPv6. */
function toPlain(text: string): string {
  const trimmed = text.trim();
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? [];
  const [, withoutPort] = /^([\d.]+):\d+$/.exec(trimmed) ?? [];
  const address = (bracketed ?? withoutPort ?? trimmed).replace(/%.*$/, '').toLowerCase();
  const [, mapped] = /^::ffff:([\d.]+)$/.exec(address) ?? [];
  return mapped ?? address;
}

/** The first groups of an IPv6 address, without leading zeros. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined) {
    const last = tail.split(':').filter(Boolean);
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}
