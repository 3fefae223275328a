import { expect, test } from 'vitest';
import { createTargetGuard, isPublicAddress } from '#lib/site/notifications/target-guard.ts';
import { hostileTargets, resolveTestName } from '../../../support/hostile-targets.ts';

const guard = createTargetGuard({ hosts: [], resolveName: resolveTestName });

test.each(hostileTargets)('%s is refused', async (url) => {
  await expect(guard.resolve(url)).rejects.toThrow();
});

test.each([
  'https://hooks.public.example/',
  'https://hooks.public.example:8443/a?b=c',
  'HTTPS://Hooks.Public.Example/',
  'https://93.184.215.14/',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
])('%s is accepted, with the addresses to connect to', async (url) => {
  const { addresses } = await guard.resolve(url);
  expect(addresses.map(({ address }) => address)).toContain(
    url.includes('[') ? '2606:2800:21f:cb07:6820:80da:af6b:8b2c' : '93.184.215.14',
  );
});

test('a host that the operator allows may be anywhere, by http too, but only on its port', async () => {
  const hosts = ['localhost:9000', 'private.example'];
  const trusting = createTargetGuard({ hosts, resolveName: resolveTestName });
  await expect(trusting.resolve('http://localhost:9000/hook')).resolves.toBeDefined();
  await expect(trusting.resolve('https://private.example/')).resolves.toBeDefined();
  await expect(trusting.resolve('http://private.example/')).resolves.toBeDefined();
  for (const url of [
    'http://localhost:9001/',
    'http://localhost/',
    'https://private.example:8443/',
    'https://127.0.0.1:9000/',
    'ftp://private.example/',
    'https://user@private.example/',
  ]) {
    await expect(trusting.resolve(url), url).rejects.toThrow();
  }
});

test.each([
  ['8.8.8.8', true],
  ['172.15.255.255', true],
  ['172.32.0.0', true],
  ['100.63.255.255', true],
  ['100.128.0.0', true],
  ['223.255.255.255', true],
  ['2600::', true],
  ['2001:4860:4860::8888', true],
  ['172.31.255.255', false],
  ['192.0.0.9', false],
  ['2001:1::1', false],
  ['2002::', false],
  ['4000::1', false],
  ['fe80::1%eth0', false],
  ['2600::1%eth0', false],
  ['no address', false],
  ['', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
