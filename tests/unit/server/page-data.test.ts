import { expect, test } from 'vitest';
import { createPageDataStore, readPageDataAddress } from '#lib/server/page-data.ts';

const digest = 'a'.repeat(27);

test('an address that the store gives is read back, and finds the data', () => {
  const store = createPageDataStore();
  const kept = store.keep('self.x=1', '/events/café?a=b&c=d');
  expect(readPageDataAddress(kept.address)).toEqual({
    digest: kept.digest,
    page: { path: '/events/caf%C3%A9', search: '?a=b&c=d' },
  });
  expect(store.find(kept.digest)).toBe(kept);
  expect(store.find(digest)).toBeUndefined();
});

test('equal data has equal addresses in every instance', () => {
  const [one, other] = [createPageDataStore(), createPageDataStore()];
  expect(one.keep('self.x=1', '/').address).toBe(other.keep('self.x=1', '/').address);
  expect(one.keep('self.x=2', '/').address).not.toBe(other.keep('self.x=1', '/').address);
});

test.for([
  '/_page/short.js?of=%2F',
  `/_page/${digest}.js`,
  `/_page/${digest}.js?of=`,
  `/_page/${digest}.js?of=%`,
  `/_page/${digest}.js?of=%2F%25zz`,
  `/_page/${digest}.js?of=%2F%2Fevents`,
  `/_page/${digest}.js?of=%2Fevents%2F`,
  `/_page/${digest}.js?of=events`,
  `/_page/${digest}.js?of=%2F&of=%2F`,
  `/_page/../${digest}.js?of=%2F`,
  `/_page/${digest}.js?of=*`,
])('%s is no address of page data', (address) => {
  expect(readPageDataAddress(address)).toBeNull();
});

test('what was used least recently goes first', () => {
  const store = createPageDataStore();
  const first = store.keep(`0${'x'.repeat(1_000_000)}`, '/');
  for (let at = 1; at < 20; at++) store.keep(`${at}${'x'.repeat(1_000_000)}`, '/');
  expect(store.find(first.digest)).toBeUndefined();
});
