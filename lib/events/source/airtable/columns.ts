/** The columns of the events table, by the names that the operator sees. */
export const columns = {
  name: 'Name',
  description: 'Description',
  requirements: 'Requirements',
  url: 'URL',
  slackUrl: 'Slack URL',
  slackChannel: 'Slack Channel',
  startDate: 'Start Date',
  endDate: 'End Date',
  announcedAt: 'Announced At',
  state: 'State',
  format: 'Format',
  inPersonStart: 'In-Person Start',
  inPersonEnd: 'In-Person End',
  location: 'Location',
  projectTypes: 'Project Types',
  pinned: 'Pinned',
  logo: 'Logo',
  backgroundType: 'Background Type',
  backgroundColor: 'Background Color',
  backgroundImage: 'Background Image',
  textColor: 'Text Color',
  accentColor: 'Accent Color',
  logoSize: 'Logo Size',
  buttonColor: 'Button Color',
  buttonTextColor: 'Button Text Color',
  buttonBorderRadius: 'Button Border Radius',
  buttonBorderWidth: 'Button Border Width',
  buttonBorderColor: 'Button Border Color',
} as const;

/** Columns that a table may do without: their empty cells have a meaning of their own. */
export const optionalColumns: ReadonlySet<string> = new Set([columns.announcedAt, columns.state]);

export type Column = (typeof columns)[keyof typeof columns];
