import type { FieldIn } from '../model/field-lists.ts';
import type { MarqueeEvent } from '../model/schema.ts';
import { isJoinable } from '../model/status.ts';
import { shortenText, toOneLine } from './clean-text.ts';
import { formatCountOf } from './format-count.ts';

type TermsEvent = Pick<MarqueeEvent, FieldIn<'terms'> | 'status' | 'state'>;

const lengthMax = 40;

/** What it takes to come, in words: `€12`, `Age 13–18`, `3 places left`. Only what is known. */
export function listTerms(event: TermsEvent): string[] {
  const { price, audience } = event;
  const cells = [price, audience && toAgeInWords(audience)].map((text) => toOneLine(text ?? ''));
  return [...cells.map((text) => shortenText(text, lengthMax)), toPlacesInWords(event)].filter(
    (term) => term !== '',
  );
}

/** Numbers alone: `13–18`, `16+`, `From 8`. Other cells say what they mean. */
function toAgeInWords(audience: string): string {
  const isAge = /^(?:(?:from|over|under|up to) )?\d[\d\s+–-]*$/i.test(audience.trim());
  return isAge ? `Age ${audience.trim().toLowerCase()}` : audience;
}

function toPlacesInWords({ placesLeft, ...event }: TermsEvent): string {
  if (placesLeft === null || !isJoinable(event)) return '';
  if (placesLeft === 0) return 'Full';
  return formatCountOf(placesLeft, 'place left', 'places left');
}
