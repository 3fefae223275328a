type EventFormatsProps = Readonly<{ id: string; slug: string }>;

/** The other representations of an event, for programs. */
export function EventFormats({ id, slug }: EventFormatsProps) {
  return (
    <nav className="event-formats" aria-label="This page in other formats">
      This page as <a href={`/events/${slug}.md`}>Markdown</a> ·{' '}
      <a href={`/api/v1/events/${id}`}>JSON</a> · <a href={`/events/${slug}.ics`}>iCalendar</a>
    </nav>
  );
}
