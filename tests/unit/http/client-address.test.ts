import { expect, test } from 'vitest';
import { groupAddress, readClientAddress, shortenAddress } from '#lib/http/client-address.ts';

function toIncoming(forwarded: string | undefined, remoteAddress = '192.0.2.1') {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  // Only these two fields of a request are read.
  return { headers, socket: { remoteAddress } } as unknown as Parameters<
    typeof readClientAddress
  >[0];
}

// ASVS 4.1.3, 15.3.4
test.each([
  ['no proxy: the header is ignored', 0, '203.0.113.9', '192.0.2.1'],
  ['one proxy: the last entry', 1, '203.0.113.9', '203.0.113.9'],
  [
    'one proxy: what the client sent before it is ignored',
    1,
    '10.0.0.1, 203.0.113.9',
    '203.0.113.9',
  ],
  ['two proxies: the entry before the last', 2, '10.0.0.1, 203.0.113.9, 10.2.2.2', '203.0.113.9'],
  ['more proxies than entries: the first', 3, '203.0.113.9', '203.0.113.9'],
  ['a proxy that sent no header', 1, undefined, '192.0.2.1'],
  ['an entry that is no address', 1, 'unknown', '192.0.2.1'],
  ['an entry with a port', 1, '203.0.113.9:4711', '203.0.113.9'],
  ['IPv6 in brackets with a port', 1, '[2001:DB8::1]:4711', '2001:db8::1'],
])('%s', (_, hops, forwarded, expected) => {
  expect(readClientAddress(toIncoming(forwarded), hops)).toBe(expected);
});

test('an IPv4 address of a socket for both families is written as IPv4', () => {
  expect(readClientAddress(toIncoming(undefined, '::ffff:192.0.2.7'), 0)).toBe('192.0.2.7');
});

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['someone', 'unknown'],
  ['', 'unknown'],
])('%s is shortened to %s', (address, network) => {
  expect(shortenAddress(address)).toBe(network);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['', ''],
])('a limit counts %s as %s', (address, group) => {
  expect(groupAddress(address)).toBe(group);
});
