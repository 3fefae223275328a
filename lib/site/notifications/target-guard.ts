import { BlockList, isIP, isIPv6 } from 'node:net';

/** An IP address that a name resolves to. */
export type TargetAddress = Readonly<{ address: string; family: number }>;

/** All addresses of a name, as `dns.lookup` with `all` finds them. */
export type ResolveName = (hostname: string) => Promise<readonly TargetAddress[]>;

export type TargetGuard = Readonly<{
  /**
   * Finds the addresses to connect to, and to no other.
   * @throws TargetError if the URL or one of its addresses is refused, or if there are none.
   */
  resolve: (url: string) => Promise<Readonly<{ url: URL; addresses: readonly TargetAddress[] }>>;
}>;

/** Says what is wrong with a URL, to an admin. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

type TargetGuardOptions = Readonly<{
  /** `host` or `host:port` that the operator allows: any address, http, too. */
  hosts: readonly string[];
  resolveName: ResolveName;
}>;

const urlLengthMax = 2_000;
/** The others belong to other services, on which a request could do harm. */
const ports = ['', '8443'];

/** Admins choose URLs that this server sends requests to: none may lead into its own network (SSRF). */
export function createTargetGuard({ hosts, resolveName }: TargetGuardOptions): TargetGuard {
  const isTrusted = (url: URL) => {
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return hosts.includes(url.host) || hosts.includes(`${url.hostname}:${port}`);
  };

  return {
    async resolve(text) {
      const url = parseTarget(text);
      const trusted = isTrusted(url);
      if (!trusted) requirePublicUrl(url, text);
      const hostname = url.hostname.replace(/^\[|\]$/g, '');
      const family = isIP(hostname);
      const addresses =
        family === 0 ? await resolveName(hostname) : [{ address: hostname, family }];
      if (addresses.length === 0) throw new TargetError('its host has no address');
      // All of them: one that is refused may be the one that is connected to.
      if (!trusted && !addresses.every(({ address }) => isPublicAddress(address))) {
        throw new TargetError('its host is in a private or reserved network');
      }
      return { url, addresses };
    },
  };
}

function parseTarget(text: string): URL {
  const url = text.length > urlLengthMax ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TargetError('it is not an https URL of up to 2000 characters');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TargetError('it has a user name or a password');
  }
  if (url.hash !== '') throw new TargetError('it has a fragment');
  return url;
}

function requirePublicUrl({ protocol, hostname, port }: URL, text: string): void {
  if (protocol !== 'https:') throw new TargetError('it is not https');
  if (!ports.includes(port)) throw new TargetError('its port is neither 443 nor 8443');
  if (hostname.endsWith('.')) throw new TargetError('its host ends with a dot');
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  // The URL parser turns 0x7f.1 and 2130706433 into addresses.
  if (isAddress && !text.includes(hostname))
    throw new TargetError('its address is not in its usual form');
  if (!isAddress && !hostname.includes('.')) throw new TargetError('its host has no domain');
}

/** Of IANA's registries of special-purpose addresses: all that are not globally reachable, and all relays. */
const reservedIpv4 = toBlockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/** Everything else, such as IPv4-mapped addresses and NAT64 (64:ff9b::/96), is no global unicast. */
const globalIpv6 = toBlockList('ipv6', ['2000::/3']);
/** Teredo and other protocols, documentation, 6to4. */
const reservedIpv6 = toBlockList('ipv6', [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]);

/** Whether an IP address is global unicast: on the internet, and of one machine. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reservedIpv4.check(address, 'ipv4');
  // A zone (fe80::1%eth0) names a network of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalIpv6.check(address, 'ipv6') && !reservedIpv6.check(address, 'ipv6');
}

function toBlockList(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
