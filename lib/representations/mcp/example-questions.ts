/** A question, and the call that answers it. The documentation shows these; tests run them. */
type ExampleQuestion = Readonly<{
  question: string;
  tool: 'search' | 'fetch' | 'list_events' | 'get_event';
  arguments: Readonly<Record<string, string | number | readonly string[]>>;
}>;

const list = (question: string, args: ExampleQuestion['arguments']): ExampleQuestion => ({
  question,
  tool: 'list_events',
  arguments: args,
});

const search = (question: string, query: string): ExampleQuestion => ({
  question,
  tool: 'search',
  arguments: { query },
});

/** @param today `YYYY-MM-DD`: dates in the arguments are the next ones. */
export function listExampleQuestions(today: string): readonly ExampleQuestion[] {
  const year = toYearOfNext('12-05', today);
  const [first, fifth, last] = [`${year}-12-01`, `${year}-12-05`, `${year}-12-31`];
  return [
    list('What is on now?', { status: ['ongoing'] }),
    list('Which event starts next?', { status: ['upcoming'], limit: 1 }),
    list('What can I join online this weekend?', { format: ['online'], when: 'weekend' }),
    list(`What is on in December ${year}?`, { from: first, to: last }),
    list(`What can I do on 5 December ${year}?`, { from: fifth, to: fifth }),
    list('Where can I meet people in person soon?', {
      format: ['in-person'],
      status: ['upcoming'],
    }),
    list('Which game jams are coming up?', { projectType: ['Gamedev'], status: ['upcoming'] }),
    list('Is there anything about CAD or electronics?', { projectType: ['CAD', 'Electronics'] }),
    list('What was announced last?', { sort: 'announcedAt', limit: 3 }),
    list('Which events are over?', { status: ['ended'], limit: 100 }),
    list('What are the next three events in person?', {
      format: ['in-person'],
      status: ['ongoing', 'upcoming'],
      limit: 3,
    }),
    list('What is on in Lisbon?', { q: 'lisbon', status: ['ongoing', 'upcoming'] }),
    search('Is there a hackathon next weekend?', 'hackathon next weekend'),
    search('Are there robots in Edinburgh?', 'robots edinburgh'),
    search('Which online game jams are there in December?', 'online game jams december'),
    search('Is there something with telescopes?', 'telescopes'),
    {
      question: 'What do I need to bring to the observatory?',
      tool: 'fetch',
      arguments: { id: 'overnight-at-the-observatory' },
    },
    {
      question: 'Where does Overnight at the Observatory take place?',
      tool: 'get_event',
      arguments: { id: 'overnight-at-the-observatory' },
    },
    {
      question: 'How do I join the Night Train Hackathon?',
      tool: 'get_event',
      arguments: { id: 'night-train-hackathon' },
    },
    {
      question: 'Tell me everything about Tomorrow’s Machines.',
      tool: 'fetch',
      arguments: { id: 'tomorrows-machines' },
    },
  ];
}

/** The year in which a day of every year comes next. */
function toYearOfNext(day: string, today: string): number {
  const year = Number(today.slice(0, 4));
  return today.slice(5) <= day ? year : year + 1;
}
