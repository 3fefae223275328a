import fc from 'fast-check';

/** Every way to split bytes in two, and one byte at a time. */
export function splitEverywhere(bytes: Uint8Array): Uint8Array[][] {
  const pairs = Array.from({ length: bytes.length }, (_, at) => [
    bytes.subarray(0, at),
    bytes.subarray(at),
  ]);
  const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  return [...pairs, single];
}

/** Splits bytes at offsets, taken modulo the length. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const cuts = [...new Set(offsets.map((offset) => offset % (bytes.length + 1)))].sort(
    (a, b) => a - b,
  );
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
}

/** Offsets for `cutAt`. */
export const anyCuts: fc.Arbitrary<number[]> = fc.array(fc.nat(100_000), { maxLength: 30 });
