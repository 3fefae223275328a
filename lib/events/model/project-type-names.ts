import type { ProjectType } from './schema.ts';

/** What visitors read for a project type, in filters and on posters; the search finds these words too. */
export const projectTypeNames: Readonly<Record<ProjectType, string>> = {
  Electronics: 'Electronics',
  Websites: 'Websites',
  Software: 'Software',
  Gamedev: 'Games',
  CAD: 'CAD',
  Other: 'Other',
};

/** What else visitors search for when they mean a project type. */
export const projectTypeSynonyms: Readonly<Record<ProjectType, string>> = {
  Electronics: 'hardware circuits',
  Websites: 'web pages',
  Software: 'code programming apps',
  Gamedev: 'game development video games',
  CAD: '3D design printing',
  Other: '',
};
