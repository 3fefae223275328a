import { newKeyStatus } from '#lib/accounts/sign-in/cookies.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import type { Page } from './classify-url.ts';
import type { PageHeaderOptions } from './page-headers.ts';
import type { PageParts, PagePlan } from './plan-page.ts';

/** How a page is served, before it is rendered. */
export type DecidedPage = Readonly<{
  plan: Exclude<PagePlan, Readonly<{ kind: 'redirect' }>>;
  /** Of its response, if Next renders it with a 200. */
  status: number;
  /** Of this response, besides those of the page. */
  headers: HeaderFields;
  /** What the headers of the page follow from, besides its scripts. */
  page: Omit<PageHeaderOptions, 'scriptSources'>;
  /** It shows a new key, once. */
  showsKey?: boolean;
}>;

const retrySoon: HeaderFields = [['Retry-After', '2']];

/** Decides in the same way under `npm start` and under `next start`. @returns a Response where no page is rendered */
export async function decidePage(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  page: Page,
  parts: PageParts,
): Promise<DecidedPage | Response> {
  const { site, members } = parts;
  const plan = await page.row.plan(page, parts, headers);
  switch (plan.kind) {
    case 'redirect':
      return plan.response;
    case 'page': {
      const { asksPosition = false } = page.row;
      const url = plan.canonicalUrl ?? plan.url;
      return { plan, status: 200, headers: [], page: { site, url, asksPosition } };
    }
    case 'error':
    case 'missing': {
      const { status, headers: own = [] } = plan;
      return { plan, status, headers: own, page: { site, url: null } };
    }
    case 'private': {
      const cleared = members?.newKey.clear(headers.get('cookie')) ?? null;
      const showsKey = cleared !== null && plan.status === 200;
      return {
        plan,
        status: showsKey ? newKeyStatus : plan.status,
        headers: [
          ...(plan.status === 503 ? retrySoon : []),
          ...(cleared !== null && method === 'GET' ? [['Set-Cookie', cleared] as const] : []),
        ],
        page: { site, url: null, formTargets: await members?.formTargets() },
        showsKey,
      };
    }
  }
}
