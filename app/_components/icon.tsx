const shapes = {
  search: 'M10 3.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M14.8 14.8 21 21',
  copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
  done: 'm4 12.5 5 5L20 6.5',
  scheme: 'M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17',
  share: 'M12 15V3M7.5 7.5 12 3l4.5 4.5M5 12v8h14v-8',
  calendar: 'M4 5.5h16V20H4zM4 10h16M8 3v5M16 3v5',
  leave: 'M8 4h12v12M20 4 5 19',
  save: 'M6 3.5h12V21l-6-4.5L6 21z',
  place:
    'M12 21.5s-7-6.4-7-11.5a7 7 0 1 1 14 0c0 5.1-7 11.5-7 11.5M12 7.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5',
  online:
    'M12 3.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 0 1 0-17M3.5 12h17M12 3.5c5 5 5 12 0 17c-5-5-5-12 0-17',
  account: 'M12 3.5a4.25 4.25 0 1 1 0 8.5a4.25 4.25 0 0 1 0-8.5M4 20.5c0-4 3.2-6 8-6s8 2 8 6',
  bell: 'M6 17V10.5a6 6 0 0 1 12 0V17l2 2H4zM10 21.5h4',
  posters: 'M4 4h7v16H4zM13.5 4H20v7h-6.5zM13.5 13.5H20V20h-6.5z',
  list: 'M4 6h2M9 6h11M4 12h2M9 12h11M4 18h2M9 18h11',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  remove: 'M5.5 5.5l13 13M18.5 5.5l-13 13',
} as const;

export type IconName = keyof typeof shapes;

/** A decorative icon: the text or label beside it carries the meaning. */
export function Icon({ name }: Readonly<{ name: IconName }>) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
