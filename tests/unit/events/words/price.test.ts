import { expect, test } from 'vitest';
import { isFree } from '#lib/events/words/price.ts';

test.each([
  'Free',
  'free!',
  'FREE entry',
  'Free, with a numbered ticket',
  'Free, leave a coin for the kettle',
  'Free for all',
  'Free for everyone',
  'Admission is free',
  'Gratis',
  'Gratuit',
  'Entrée gratuite',
  'Kostenlos',
  'Eintritt frei',
  'Бесплатно',
  '無料',
  'مجانًا',
  '0',
  '0.00',
  '€0',
  '0 €',
  '0,00 €',
  '$0.00',
  'EUR 0',
  '0 kr',
])('%s is free', (price) => {
  expect(isFree(price)).toBe(true);
});

test.each([
  null,
  '',
  '€12',
  '12 €',
  '5',
  '€0–10',
  'Free for members, €5 for others',
  'Free for members',
  'Free for students',
  'Free until May, then $20',
  'Free if you bring a dish',
  'Free drinks',
  'Not free',
  'A sugar-free cake',
  'A dish for six',
  '150 MXN',
  '£5',
  '£0.50',
  'Carefree',
  'Pay what you can',
  'Freedom',
  '10',
])('%s is not', (price) => {
  expect(isFree(price)).toBe(false);
});
