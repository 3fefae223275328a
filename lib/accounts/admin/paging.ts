/** One page of a long list. */
export type Paging = Readonly<{ page: number; pages: number; total: number }>;

/** How many rows pages and commands show at a time. */
export const pageRows = 50;
export const pagesMax = 100_000;

/** The page that a URL names, from 1 on. */
export function readPage(text: string | undefined): number {
  const page = /^\d{1,6}$/.test(text ?? '') ? Number(text) : 1;
  return Math.min(Math.max(page, 1), pagesMax);
}

export function toOffset(page: number): Readonly<{ limit: number; offset: number }> {
  return { limit: pageRows, offset: (page - 1) * pageRows };
}

export function toPaging(page: number, total: number): Paging {
  return { page, pages: Math.max(Math.ceil(total / pageRows), 1), total };
}
