/**
 * Renders pages until they come in time: on a busy machine the first one of a new process may take longer than the
 * server gives a page.
 */
export async function warmPages(url: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    while ((await fetch(url + path, { headers: { accept: 'text/html' } })).status === 504);
  }
}
