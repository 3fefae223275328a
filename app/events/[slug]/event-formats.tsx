type EventFormatsProps = Readonly<{ id: string; slug: string; isOver: boolean }>;

/** The other representations of an event, for programs. Nobody needs a calendar of the past. */
export function EventFormats({ id, slug, isOver }: EventFormatsProps) {
  return (
    <nav className="event-formats" aria-label="This page in other formats">
      This page as <a href={`/events/${slug}.md`}>Markdown</a> ·{' '}
      <a href={`/api/v1/events/${id}`}>JSON</a>
      {!isOver && (
        <>
          {' '}
          · <a href={`/events/${slug}.ics`}>iCalendar</a>
        </>
      )}
    </nav>
  );
}
