import { type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { heading, link, list, paragraph, root } from '#lib/representations/markdown/nodes.ts';
import { type MailText, renderMail } from './render-mail.ts';

type AlertMail = Readonly<{
  site: Site;
  subject: string;
  lines: readonly string[];
  /** The page that shows more, where people also choose whether such mails come. */
  path: string;
}>;

const lineLengthMax = 500;

/** What a member or an admin is told. */
export function toAlertMail({ site, subject, lines, path }: AlertMail): MailText {
  const title = shortenText(toOneLine(subject), 150);
  const name = toOneLine(site.name);
  const texts = lines.map((line) => shortenText(toOneLine(line), lineLengthMax));
  const [only = ''] = texts;
  return renderMail(
    `${name}: ${title}`,
    root(
      heading(1, title),
      texts.length === 1 ? paragraph(only) : list(texts.map((text) => [text])),
      paragraph(link(toPageUrl(site, path), `See it at ${name}`)),
      paragraph(
        path === '/account'
          ? 'You get this since you asked for it on that page, where you can stop it, too.'
          : `You get this as an admin of ${name}.`,
      ),
    ),
  );
}
