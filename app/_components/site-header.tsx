import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';

type Linked = Readonly<{ path: string; title: string }>;

type SiteHeaderProps = Readonly<{
  siteName: string;
  pages: readonly Linked[];
  hasAccounts: boolean;
}>;

export function SiteHeader({ siteName, pages, hasAccounts }: SiteHeaderProps) {
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
        <SiteMenu pages={pages} />
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
function SiteMenu({ pages }: Readonly<{ pages: readonly Linked[] }>) {
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
