import type { MarqueeEvent } from '../model/schema.ts';
import { toOneLine } from '../words/clean-text.ts';
import { toCountryName } from '../words/countries.ts';
import { toPosition } from './city-marks.ts';

type MapLink = Readonly<{ name: string; url: string }>;

/** Links that open an event’s place in a map; none if only its name is known, or it is online. */
export function toMapLinks(event: Pick<MarqueeEvent, 'state' | 'place'>): MapLink[] {
  const { place, state } = event;
  if (place === null || state === 'moved-online') return [];
  const { name, address, city, country } = place;
  const position = toPosition(event);
  const parts = [address ?? name, city, country === null ? null : toCountryName(country)];
  const words = toOneLine(parts.filter((part) => part !== null).join(', '));
  if (position === null && (address === null || city === null)) return [];
  const point = position === null ? null : `${position.latitude},${position.longitude}`;
  const query = encodeURIComponent(point ?? words);
  return [
    // RFC 5870. `q` sets a pin on Android.
    { name: 'Map app', url: `geo:${point ?? '0,0'}?q=${query}` },
    { name: 'OpenStreetMap', url: `https://www.openstreetmap.org/search?query=${query}` },
    { name: 'Google Maps', url: `https://www.google.com/maps/search/?api=1&query=${query}` },
    { name: 'Apple Maps', url: `https://maps.apple.com/?q=${query}` },
  ];
}
