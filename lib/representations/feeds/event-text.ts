import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toFactsLine } from '#lib/events/view/event-facts.ts';
import { toPlainText } from '../markdown/safe/plain-text.ts';

/**
 * An event as plain text, for feeds and calendars: facts, description and requirements, separated by blank
 * lines.
 * @param lengthMax in characters, for description and requirements each.
 */
export function toEventText(event: MarqueeEvent, lengthMax: number): string {
  const description = toPlainText(event.description ?? '', lengthMax);
  const requirements = toPlainText(event.requirements ?? '', lengthMax);
  const parts = [toFactsLine(event), description];
  if (requirements !== '') parts.push(`Requirements: ${requirements}`);
  return parts.filter((part) => part !== '').join('\n\n');
}
