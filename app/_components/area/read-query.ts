type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The props that Next passes to a page with a query. */
export type QueryPageProps = Readonly<{ searchParams: Promise<Query> }>;

/** The first value of each parameter. */
export async function readQuery(
  searchParams: Promise<Query>,
): Promise<Readonly<Record<string, string | undefined>>> {
  const query = await searchParams;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, [value].flat()[0]]),
  );
}
