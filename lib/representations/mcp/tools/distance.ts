import { z } from 'zod';
import { type Position, parsePosition } from '#lib/events/model/position.ts';
import { findNearPlace } from '#lib/events/search/find-place.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { foldText } from '#lib/events/words/fold-text.ts';
import { createApiError } from '#lib/http/errors/errors.ts';

export const distanceSchema = z.number().nullable().meta({
  description: 'How far away the event is in km, by its coordinates or those of its city.',
});

/**
 * The point that `near` means: models have names of cities.
 * @throws HttpError 400 if it is neither a point nor a known city.
 */
export function toCenter(near: unknown, { search }: EventsSnapshot): Position | null {
  if (near === undefined || near === '') return null;
  const text = String(near);
  // `Brussels, Belgium`
  const names = [text, text.split(',')[0] ?? ''].map((name) => foldText(name).trim());
  const center =
    parsePosition(text) ??
    names.map((name) => findNearPlace(name, search.vocabulary)?.center).find(Boolean);
  if (center !== undefined) return center;
  throw createApiError('bad_request', {
    message: '`near` must be the name of a city, or `latitude,longitude` in degrees.',
    hint: 'Send the name of the next larger city, or its coordinates, such as `51.05,3.72`.',
  });
}
