import type { EventFormat, EventStatus, ProjectType } from '../model/schema.ts';

/** What a phrase of a search means, apart from days and places. */
export type PhraseMeaning =
  | Readonly<{ kind: 'format'; value: EventFormat }>
  | Readonly<{ kind: 'projectType'; value: ProjectType }>
  | Readonly<{ kind: 'status'; value: EventStatus }>
  /** As `when=tonight`; other named days are parsed as days. */
  | Readonly<{ kind: 'when'; value: 'tonight' }>;

const formats: Readonly<Record<EventFormat, readonly string[]>> = {
  'in-person': ['in person', 'in-person', 'inperson', 'irl', 'offline', 'on site', 'onsite'],
  online: ['online', 'remote', 'remotely', 'virtual', 'virtually'],
  both: ['hybrid', 'in person and online', 'online and in person'],
};

const types: Readonly<Partial<Record<ProjectType, readonly string[]>>> = {
  Electronics: ['electronics', 'hardware'],
  Websites: ['websites', 'website', 'web'],
  Software: ['software'],
  Gamedev: [
    ...['gamedev', 'games', 'game', 'video games', 'video game'],
    ...['game jams', 'game jam', 'game development', 'game dev'],
  ],
  CAD: ['cad', '3d design', '3d printing'],
};

const statuses: Readonly<Record<EventStatus, readonly string[]>> = {
  ongoing: ['ongoing', 'on now', 'right now', 'now'],
  upcoming: ['upcoming', 'coming up'],
  ended: ['past', 'ended'],
};

/** Folded phrases and what they mean. */
export const phraseMeanings: ReadonlyMap<string, PhraseMeaning> = new Map([
  ...toEntries('format', formats),
  ...toEntries('projectType', types),
  ...toEntries('status', statuses),
  ...toEntries('when', { tonight: ['tonight', 'this evening'] }),
]);

function toEntries(
  kind: PhraseMeaning['kind'],
  phrases: Readonly<Record<string, readonly string[]>>,
) {
  return Object.entries(phrases).flatMap(([value, words]) =>
    words.map((phrase) => [phrase, { kind, value } as PhraseMeaning] as const),
  );
}

/** Words that say nothing about which event: everything here is an event, and the headline calls them hackathons. */
export const noiseWords: ReadonlySet<string> = new Set(
  [
    'event events hackathon hackathons',
    'a an the and or & - of for to with by from in at on near around about',
    "what what's what’s whats which where when is are there any some can i we me join attend happening",
  ]
    .join(' ')
    .split(' '),
);
