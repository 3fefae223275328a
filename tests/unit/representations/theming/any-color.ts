import fc from 'fast-check';
import type { Color } from '#lib/representations/theming/color.ts';

const channel = fc.oneof(fc.constantFrom(0, 118, 119, 128, 255), fc.nat(255));

/** Any colour; greys with equal contrast to black and white come up often. */
export const anyColor: fc.Arbitrary<Color> = fc.oneof(
  fc.tuple(channel, channel, channel),
  fc.integer({ min: 100, max: 135 }).map((grey): Color => [grey, grey, grey]),
);

/** A colour as events have it. */
export const anyColorText: fc.Arbitrary<string> = fc
  .tuple(channel, channel, channel, fc.option(channel, { nil: undefined }))
  .map(
    (channels) =>
      `#${channels
        .filter((value) => value !== undefined)
        .map(toDigits)
        .join('')}`,
  );

function toDigits(value: number): string {
  return value.toString(16).padStart(2, '0');
}
