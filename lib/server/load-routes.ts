import { type RoutePath, routePaths } from '#lib/site/pages/routes.ts';

/** Handles a request to a route, whatever its method: a plain web function. */
export type RouteFunction = (
  request: Request,
  context: { params: Promise<object> },
) => Promise<Response>;

const app = `${import.meta.dirname}/../../app`;

export type Routes = ReadonlyMap<RoutePath, RouteFunction>;

/** Loads the `route.ts` of every route in `app/`. */
export async function loadRoutes(): Promise<Routes> {
  const loaded = routePaths.map(async (path): Promise<[RoutePath, RouteFunction]> => {
    const file = `${app}${path}/route.ts`;
    const { GET } = await import(file);
    return [path, GET];
  });
  return new Map(await Promise.all(loaded));
}
