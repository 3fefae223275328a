import { sitePages } from '#lib/representations/seo/site-pages.ts';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';

const pages = [
  ...sitePages.filter(({ linkedIn }) => linkedIn.includes('header')),
  { path: '/docs', title: 'Docs' },
];

type SiteHeaderProps = Readonly<{ siteName: string; hasAccounts: boolean }>;

export function SiteHeader({ siteName, hasAccounts }: SiteHeaderProps) {
  return (
    <header className="site-header">
      <a className="site-name" href="/">
        {siteName}
      </a>
      <nav className="site-nav" aria-label="Site">
        {pages.map(({ path, title }) => (
          <a key={path} href={path} className={path === '/map' ? undefined : 'in-menu'}>
            {title}
          </a>
        ))}
        <SiteMenu />
        <a className="icon-button only-with-script" href="/saved" title="My list">
          <Icon name="save" />
          <span>My list</span>
        </a>
        {hasAccounts && (
          <a className="icon-button" href="/account" title="Account">
            <Icon name="account" />
            <span>Account</span>
          </a>
        )}
        <SchemeSwitch />
      </nav>
    </header>
  );
}

/** On a phone, where the header has room for the map only. */
function SiteMenu() {
  return (
    <Menu
      className="site-menu"
      summary={
        <summary className="icon-button" title="Menu">
          <Icon name="menu" />
          <span className="visually-hidden">Menu</span>
        </summary>
      }
    >
      <ul>
        {pages.map(({ path, title }) => (
          <li key={path}>
            <a href={path}>{title}</a>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
