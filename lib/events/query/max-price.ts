export type MaxPrice = Readonly<{ amount: number; currency: string | null }>;

/** Reads `10`, `12.50` or `10EUR`; null for anything else. */
export function parseMaxPrice(text: string): MaxPrice | null {
  const [, amount, currency = null] = /^(\d{1,10}(?:\.\d{1,2})?)([A-Z]{3})?$/.exec(text) ?? [];
  return amount === undefined ? null : { amount: Number(amount), currency };
}
