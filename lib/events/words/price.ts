/** A price as programs read it. */
export type Price = Readonly<{ amount: string; currency: string | null }>;

const symbols: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₺': 'TRY',
};

/**
 * Understands “Free”, `€12`, `12.50 EUR` and the like.
 * @returns null for anything else: a dollar may be of many countries, and a range is no price.
 */
export function parsePrice(text: string): Price | null {
  if (/^free(?:$|[\s,.!;:(–-])[^\d]*$/i.test(text)) return { amount: '0', currency: null };
  const parts =
    /^(?:([A-Z]{3}|[€£₹₺])\s?(\d{1,7}(?:[.,]\d{1,2})?)|(\d{1,7}(?:[.,]\d{1,2})?)\s?([A-Z]{3}|[€£₹₺]))$/.exec(
      text,
    );
  if (parts === null) return null;
  const amount = parts[2] ?? parts[3] ?? '';
  const name = parts[1] ?? parts[4] ?? '';
  const currency = symbols[name] ?? (isCurrency(name) ? name : null);
  return currency === null ? null : { amount: amount.replace(',', '.'), currency };
}

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}
