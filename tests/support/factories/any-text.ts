import fc from 'fast-check';

/** Any text with lone surrogates and control characters, mostly ASCII. */
export function anyText(maxLength = 40): fc.Arbitrary<string> {
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 0x7f }) },
    { weight: 1, arbitrary: fc.integer({ min: 0x80, max: 0x10ffff }) },
  );
  return fc.array(unit, { maxLength }).map((points) => String.fromCodePoint(...points));
}
