type SiteFooterProps = Readonly<{
  name: string;
  about: string | null;
  contactUrl: string | null;
  submitUrl: string | null;
  pages: readonly Readonly<{ path: string; title: string }>[];
}>;

/** What this site is and who runs it, then links for developers. */
export function SiteFooter({ name, about, contactUrl, submitUrl, pages }: SiteFooterProps) {
  return (
    <footer className="site-footer">
      <div className="footer-about">
        <p>
          <strong>{name}</strong> lists hackathons, jams and build nights: what’s on now, what’s
          coming up, and how to join.
          {about && ` ${about}`}
        </p>
        <ul>
          {submitUrl && (
            <li>
              <a href={submitUrl}>Submit an event</a>
            </li>
          )}
          {contactUrl && (
            <li>
              <a href={contactUrl}>Contact us</a>
            </li>
          )}
          {pages.map(({ path, title }) => (
            <li key={path}>
              <a href={path}>{title}</a>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <p>For developers</p>
        <ul>
          <li>
            <a href="/docs">Docs</a>
          </li>
          <li>
            <a href="/docs/api">Events API</a>
          </li>
          <li>
            <a href="/docs/ai">AI proxy</a>
          </li>
          <li>
            <a href="/models">AI models</a>
          </li>
          <li>
            <a href="/llms.txt">llms.txt</a>
          </li>
        </ul>
        <p>
          Every public page is also Markdown: add <code>.md</code> to its URL.
        </p>
      </div>
    </footer>
  );
}
