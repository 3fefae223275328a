import { createRandom } from '#lib/demo/seeded-random.ts';

/** Of all that is random in a run. `npm test` prints it, and `MARQUEE_SEED` repeats it, as far as processes can be repeated. */
export const seed = Number(process.env.MARQUEE_SEED ?? Date.now() % 1_000_000);

export const random = createRandom(seed);
