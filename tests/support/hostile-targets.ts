/** URLs that a webhook must not have: they lead, or may lead, to what is not on the internet. */
export const hostileTargets = [
  // Not https, or not a URL.
  'http://hooks.public.example/',
  'ftp://hooks.public.example/',
  'file:///etc/passwd',
  'gopher://hooks.public.example:6379/_FLUSHALL',
  'javascript:alert(1)',
  'data:text/plain,x',
  '//hooks.public.example/',
  'hooks.public.example',
  '',
  `https://hooks.public.example/${'x'.repeat(2_000)}`,
  // This machine.
  'https://localhost/',
  'https://LOCALHOST./',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.255.255.254/',
  'https://0.0.0.0/',
  'https://0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  // Odd notations of addresses.
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://0x7f.0.0.1/',
  'https://134744072/',
  'https://0x08080808/',
  'https://%31%32%37.0.0.1/',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  // Private networks.
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://[fc00::1]/',
  'https://[fd12:3456:789a::1]/',
  // Link-local, with the metadata of cloud machines.
  'https://169.254.169.254/latest/meta-data/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fd00:ec2::254]/',
  // IPv4 inside IPv6.
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::1]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  // Documentation, benchmarks, multicast, broadcast, reserved.
  'https://192.0.2.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://198.18.0.1/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://224.0.0.1/',
  'https://[ff02::1]/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  // Other parts of the URL.
  'https://admin:secret@hooks.public.example/',
  'https://hooks.public.example@127.0.0.1/',
  'https://hooks.public.example./',
  'https://hooks.public.example:22/',
  'https://hooks.public.example:6379/',
  'https://intranet/',
  'https://hooks.public.example/#part',
  // Names that resolve to addresses of these kinds.
  'https://loopback.example/',
  'https://private.example/',
  'https://metadata.example/',
  'https://mixed.example/',
  'https://mapped.example/',
  'https://nowhere.example/',
];

const names: Readonly<Record<string, readonly string[]>> = {
  'hooks.public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  localhost: ['127.0.0.1', '::1'],
  'loopback.example': ['127.0.0.1'],
  'private.example': ['10.1.2.3'],
  'metadata.example': ['169.254.169.254'],
  'mixed.example': ['93.184.215.14', '192.168.0.1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'nowhere.example': [],
};

/** A DNS with these names. */
export async function resolveTestName(hostname: string) {
  const addresses = names[hostname];
  if (addresses === undefined) throw Object.assign(new Error(), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}
