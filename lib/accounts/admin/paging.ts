/** One page of a long list. */
export type Paging = Readonly<{ page: number; pages: number; total: number }>;

const pageSize = 50;
export const pagesMax = 100_000;

/** The page that a URL names, from 1 on. */
export function readPage(text: string | undefined): number {
  const page = /^\d{1,6}$/.test(text ?? '') ? Number(text) : 1;
  return Math.min(Math.max(page, 1), pagesMax);
}

export function toOffset(page: number): Readonly<{ limit: number; offset: number }> {
  return { limit: pageSize, offset: (page - 1) * pageSize };
}

export function toPaging(page: number, total: number): Paging {
  return { page, pages: Math.max(Math.ceil(total / pageSize), 1), total };
}
