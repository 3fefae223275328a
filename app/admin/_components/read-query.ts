type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The props that Next passes to an admin page. */
export type AdminPageProps = Readonly<{ searchParams: Promise<Query> }>;

/** The first value of each parameter. */
export async function readQuery(
  searchParams: Promise<Query>,
): Promise<Readonly<Record<string, string | undefined>>> {
  const query = await searchParams;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, [value].flat()[0]]),
  );
}
