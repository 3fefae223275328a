/** What a link is called where nothing else is known: its host, mail address or phone number. */
export function toLinkName(url: string): string {
  const { host, pathname } = new URL(url);
  return host === '' ? pathname : host.replace(/^www\./, '');
}
