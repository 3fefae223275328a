/** A question, and the call that answers it. The documentation shows these; tests run them. */
export type ExampleQuestion = Readonly<{
  question: string;
  tool: 'search' | 'fetch' | 'list_events' | 'get_event';
  arguments: Readonly<Record<string, string | number | readonly string[]>>;
}>;

const list = (question: string, args: ExampleQuestion['arguments']): ExampleQuestion => ({
  question,
  tool: 'list_events',
  arguments: args,
});

export const exampleQuestions: readonly ExampleQuestion[] = [
  list('What is on now?', { status: ['ongoing'] }),
  list('Which event starts next?', { status: ['upcoming'], order: 'asc', limit: 1 }),
  list('What is on in December 2026?', { from: '2026-12-01', to: '2026-12-31', order: 'asc' }),
  list('What can I do on 5 December 2026?', { from: '2026-12-05', to: '2026-12-05' }),
  list('What can I join online?', {
    format: ['online', 'both'],
    status: ['ongoing', 'upcoming'],
  }),
  list('Where can I meet people in person soon?', {
    format: ['in-person', 'both'],
    status: ['upcoming'],
    order: 'asc',
  }),
  list('Which game jams are coming up?', { projectType: ['Gamedev'], status: ['upcoming'] }),
  list('Is there anything about CAD or electronics?', { projectType: ['CAD', 'Electronics'] }),
  list('What was announced last?', { sort: 'announcedAt', limit: 3 }),
  list('Which events are over?', { status: ['ended'], limit: 100 }),
  list('List all events by name.', { sort: 'name', order: 'asc', limit: 100 }),
  list('Which upcoming events mention robots?', { q: 'robot', status: ['upcoming'] }),
  list('What is on in Lisbon?', { q: 'lisbon', status: ['ongoing', 'upcoming'] }),
  list('Is there a hackathon before New Year?', {
    q: 'hackathon',
    to: '2026-12-31',
    status: ['ongoing', 'upcoming'],
  }),
  {
    question: 'Is there something with telescopes?',
    tool: 'search',
    arguments: { query: 'telescope' },
  },
  {
    question: 'Which event is about trains?',
    tool: 'search',
    arguments: { query: 'hackathon on a train' },
  },
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
