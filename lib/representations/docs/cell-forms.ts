import type { Column } from '#lib/events/model/field-lists.ts';

/** A form that cells have in real tables, and what the site makes of it. A test holds the reader to it. */
export type CellForm = Readonly<{
  cells: Readonly<Partial<Record<Column, unknown>>>;
  /** Fields of the event by their paths, as the API publishes them. */
  becomes: Readonly<Record<string, unknown>>;
  /** The column that is reported, and why. */
  reported?: string;
}>;

/** By what they are about. Events start on 2 July 2027 where nothing else is said. */
export const cellForms: Readonly<Record<string, readonly CellForm[]>> = {
  Dates: [
    {
      cells: { 'Start Date': '2027-07-02T02:00:00.000Z', 'Time Zone': 'America/New_York' },
      becomes: { startDate: '2027-07-01', startsAt: '2027-07-01T22:00:00-04:00' },
    },
    {
      cells: { 'Start Date': '5 Dec 2026' },
      becomes: { startDate: '2026-12-05' },
      reported: 'Start Date: date_rewritten',
    },
    {
      cells: { 'Start Date': 'Dec 5, 2026 at 6:30 pm' },
      becomes: { startDate: '2026-12-05', startTime: '18:30' },
      reported: 'Start Date: date_rewritten',
    },
    {
      cells: { 'Start Date': '2026/12/05' },
      becomes: { startDate: '2026-12-05' },
      reported: 'Start Date: date_rewritten',
    },
    {
      cells: { 'Start Date': '05.12.2026' },
      becomes: { startDate: '2026-12-05' },
      reported: 'Start Date: date_rewritten',
    },
    {
      cells: { 'Start Date': '25/12/2026' },
      becomes: { startDate: '2026-12-25' },
      reported: 'Start Date: date_rewritten',
    },
    {
      cells: { 'Start Date': '2027年7月1日' },
      becomes: { startDate: '2027-07-01' },
      reported: 'Start Date: date_rewritten',
    },
    {
      cells: { 'Start Date': 'Jun 30 – Jul 2, 2027' },
      becomes: { startDate: '2027-06-30', endDate: '2027-07-02' },
      reported: 'Start Date: date_rewritten',
    },
    {
      cells: { 'End Date': '08/12/2027' },
      becomes: { endDate: '2027-07-02' },
      reported: 'End Date: ambiguous_date',
    },
  ],
  'Times and zones': [
    {
      cells: { 'Start Time': '18:30', 'Time Zone': 'Europe/Brussels' },
      becomes: { startsAt: '2027-07-02T18:30:00+02:00' },
    },
    {
      cells: { 'Start Time': '18:00:00 CEST' },
      becomes: { startTime: '18:00', timeZone: 'Europe/Brussels' },
    },
    {
      cells: { 'Start Time': '6pm PT' },
      becomes: { startTime: '18:00', timeZone: 'America/Los_Angeles' },
    },
    {
      cells: { 'Start Time': '19:00 CET' },
      becomes: { startsAt: '2027-07-02T19:00:00+02:00' },
    },
    {
      cells: { 'Start Time': '18:00-20:00', 'End Date': '2027-07-02' },
      becomes: { startTime: '18:00', endTime: '20:00' },
    },
    {
      cells: { 'Start Time': '2027-07-02T19:00:00-06:00' },
      becomes: { startsAt: '2027-07-02T19:00:00-06:00' },
    },
    {
      cells: { 'Start Time': '6–8 pm' },
      becomes: { startTime: '18:00', endTime: '20:00' },
      reported: 'End Time: no_end_date',
    },
    { cells: { 'Start Time': 66_600 }, becomes: { startTime: '18:30' } },
    {
      cells: { 'Start Time': '18h30' },
      becomes: { startTime: '18:30' },
      reported: 'Start Time: time_rewritten',
    },
    {
      cells: { 'Start Time': '18.30 Uhr' },
      becomes: { startTime: '18:30' },
      reported: 'Start Time: time_rewritten',
    },
    {
      cells: { 'Start Time': '午後7時30分' },
      becomes: { startTime: '19:30' },
      reported: 'Start Time: time_rewritten',
    },
    {
      cells: { 'Start Time': 'Doors 19:00, show 20:00' },
      becomes: { startTime: '19:00' },
      reported: 'Start Time: time_rewritten',
    },
    {
      cells: { 'Start Time': '18:00', 'End Time': '24:00', 'End Date': '2027-07-02' },
      becomes: { endsAt: '2027-07-03T00:00:00+00:00' },
    },
    { cells: { 'Start Time': 'noon' }, becomes: { startTime: '12:00' } },
    { cells: { 'Start Time': 'midnight' }, becomes: { startTime: '00:00' } },
    {
      cells: { 'Start Time': '18:00', 'Time Zone': 'america / new york' },
      becomes: { timeZone: 'America/New_York' },
    },
    {
      cells: { 'Start Time': '18:00', 'Time Zone': 'GMT+2' },
      becomes: { startsAt: '2027-07-02T18:00:00+02:00' },
    },
    {
      cells: { 'Start Time': '18:00', 'Time Zone': '+02:00' },
      becomes: { startsAt: '2027-07-02T18:00:00+02:00' },
    },
    { cells: { 'Start Time': '18:00', 'Time Zone': 'JST' }, becomes: { timeZone: 'Asia/Tokyo' } },
    {
      cells: { 'Start Time': '18:00', 'Time Zone': 'London' },
      becomes: { timeZone: 'Europe/London' },
    },
    {
      cells: { 'Start Time': '18:00', 'Time Zone': 'UTC+2' },
      becomes: { timeZone: 'Etc/GMT-2', startsAt: '2027-07-02T18:00:00+02:00' },
    },
    {
      cells: { 'Start Time': '18:00', 'Time Zone': 'Berlin time' },
      becomes: { timeZone: 'Europe/Berlin' },
    },
    {
      cells: { 'Start Time': '18:00', 'Time Zone': 'EST' },
      becomes: { startsAt: '2027-07-02T18:00:00-04:00' },
    },
    {
      cells: { 'Start Time': '18:00', 'Time Zone': 'BST', Country: 'UK' },
      becomes: { timeZone: 'Europe/London' },
    },
    {
      cells: { 'Start Time': '18:00', 'Time Zone': 'IST', Latitude: 12.97, Longitude: 77.59 },
      becomes: { timeZone: 'Asia/Kolkata' },
    },
    {
      cells: { 'Start Time': '18:00', 'Time Zone': 'BST' },
      becomes: { startTime: '18:00', timeZone: null, startsAt: null },
      reported: 'Time Zone: unknown_time_zone',
    },
    { cells: { 'Start Time': '18:00', Country: 'Japan' }, becomes: { timeZone: 'Asia/Tokyo' } },
    {
      cells: { 'Start Time': 'evening' },
      becomes: { startTime: null },
      reported: 'Start Time: not_a_clock_time',
    },
  ],
  'Texts of all types of columns': [
    {
      cells: { Description: ['First talk', 'Second talk'] },
      becomes: { description: 'First talk\n\nSecond talk' },
    },
    {
      cells: { Organizer: ['Harbour Makers', null, 'Lantern Club'] },
      becomes: { 'organizer.name': 'Harbour Makers, Lantern Club' },
    },
    {
      cells: { Organizer: ['recV7kQ2mXw4Tn9Lb'] },
      becomes: { organizer: null },
      reported: 'Organizer: linked_record',
    },
    {
      cells: { Description: { state: 'generated', value: 'Build a lantern.', isStale: false } },
      becomes: { description: 'Build a lantern.' },
    },
    {
      cells: { Description: { state: 'loading', value: null, isStale: true } },
      becomes: { description: null },
    },
    {
      cells: { Description: { state: 'error', errorType: 'x', value: null, isStale: true } },
      becomes: { description: null },
      reported: 'Description: failed_formula',
    },
    {
      cells: { Description: { error: '#ERROR!' } },
      becomes: { description: null },
      reported: 'Description: failed_formula',
    },
    {
      cells: { Series: { text: '4006381333931', type: 'ean13' } },
      becomes: { series: '4006381333931' },
    },
    {
      cells: {
        Organizer: { id: 'usrA1b2C3d4E5f6G7', email: 'mira@example.com', name: 'Mira Club' },
      },
      becomes: { 'organizer.name': 'Mira Club' },
    },
    {
      cells: { Series: { name: 'Night Shift' } },
      becomes: { series: null },
      reported: 'Series: not_text',
    },
    { cells: { Price: 12.5 }, becomes: { price: '12.5' } },
    { cells: { Age: 4 }, becomes: { audience: '4' } },
    { cells: { Price: 0.1 + 0.2 }, becomes: { price: '0.3' } },
    { cells: { Price: true }, becomes: { price: null }, reported: 'Price: not_text' },
    { cells: { 'Places Left': '1,200' }, becomes: { placesLeft: 1200 } },
    { cells: { 'Places Left': [18] }, becomes: { placesLeft: 18 } },
    {
      cells: { 'Places Left': 'many' },
      becomes: { placesLeft: null },
      reported: 'Places Left: not_a_number',
    },
  ],
  'HTML in texts': [
    {
      cells: { Description: 'Join us!<br><br><b>When: </b>7&nbsp;pm' },
      becomes: { description: 'Join us!\n\n**When:** 7 pm' },
    },
    {
      cells: { Description: '<p>See <a href="https://jam.example/">the site</a></p>' },
      becomes: { description: 'See [the site](https://jam.example/)' },
    },
    {
      cells: { Requirements: '<ul><li>a lamp</li><li>tools</li></ul>' },
      becomes: { requirements: '- a lamp\n- tools' },
    },
    {
      cells: { Description: 'Bring a <friend>, and a `<b>`' },
      becomes: { description: 'Bring a <friend>, and a `<b>`' },
    },
  ],
  'Links and contacts': [
    {
      cells: { URL: 'www.example.com/tickets' },
      becomes: { url: 'https://www.example.com/tickets' },
      reported: 'URL: url_rewritten',
    },
    {
      cells: { URL: 'Tickets (https://example.com/x)' },
      becomes: { url: 'https://example.com/x' },
      reported: 'URL: url_in_text',
    },
    {
      cells: { URL: '[Lantern Jam](https://example.com/jam)' },
      becomes: { url: 'https://example.com/jam' },
      reported: 'URL: url_in_text',
    },
    {
      cells: { URL: 'https://a.example/ https://b.example/' },
      becomes: { url: 'https://a.example/' },
      reported: 'URL: several_urls',
    },
    {
      cells: { URL: { label: 'Sign up', url: 'https://example.com/up' } },
      becomes: { url: 'https://example.com/up' },
    },
    { cells: { URL: 'hello@example.com' }, becomes: { url: null }, reported: 'URL: not_a_website' },
    {
      cells: { Organizer: 'Mira Club', 'Organizer URL': 'hello@example.com' },
      becomes: { 'organizer.url': 'mailto:hello@example.com' },
    },
    {
      cells: { Organizer: 'Mira Club', 'Organizer URL': '+32 2 555 01 00' },
      becomes: { 'organizer.url': 'tel:+3225550100' },
    },
    { cells: { URL: 'see the poster' }, becomes: { url: null }, reported: 'URL: not_a_web_url' },
  ],
  'Countries and cities': [
    { cells: { Country: 'DEU' }, becomes: { 'place.country': 'DE' } },
    { cells: { Country: 'Korea, Republic of' }, becomes: { 'place.country': 'KR' } },
    { cells: { Country: 'Taiwan, Province of China' }, becomes: { 'place.country': 'TW' } },
    { cells: { Country: 'Bolivia (Plurinational State of)' }, becomes: { 'place.country': 'BO' } },
    { cells: { Country: 'Hong Kong SAR' }, becomes: { 'place.country': 'HK' } },
    { cells: { Country: 'United Kingdom (UK)' }, becomes: { 'place.country': 'GB' } },
    { cells: { Country: 'U.S.A.' }, becomes: { 'place.country': 'US' } },
    { cells: { Country: '🇧🇪' }, becomes: { 'place.country': 'BE' } },
    { cells: { Country: 'Österreich' }, becomes: { 'place.country': 'AT' } },
    { cells: { Country: 'I/O' }, becomes: { place: null }, reported: 'Country: unknown_country' },
    {
      cells: { City: 'New York, NY' },
      becomes: { 'place.city': 'New York', 'place.region': 'NY', 'place.country': 'US' },
      reported: 'City: city_divided',
    },
    {
      cells: { City: 'Toronto, Ontario' },
      becomes: { 'place.city': 'Toronto', 'place.region': 'ON', 'place.country': 'CA' },
      reported: 'City: city_divided',
    },
    {
      cells: { City: 'Berlin, Germany' },
      becomes: { 'place.city': 'Berlin', 'place.country': 'DE' },
      reported: 'City: city_divided',
    },
    {
      cells: { City: 'Brussels / Online' },
      becomes: { 'place.city': 'Brussels', format: 'both' },
      reported: 'City: city_divided',
    },
    {
      cells: { City: '1000 Brussels' },
      becomes: { 'place.city': 'Brussels' },
      reported: 'City: city_divided',
    },
    {
      cells: { City: 'Chennai, TN, India' },
      becomes: { 'place.city': 'Chennai', 'place.region': 'TN', 'place.country': 'IN' },
      reported: 'City: city_divided',
    },
    { cells: { City: 'Singapore' }, becomes: { 'place.country': 'SG' } },
    { cells: { City: ['Ghent', 'Ghent'] }, becomes: { 'place.city': 'Ghent' } },
    {
      cells: { City: ['Ghent', 'Bruges'] },
      becomes: { place: null },
      reported: 'City: several_values',
    },
    { cells: { City: 'TBA' }, becomes: { place: null }, reported: 'City: not_a_city' },
    {
      cells: { City: 'Weiden, DE' },
      becomes: { 'place.city': 'Weiden', 'place.country': 'DE' },
      reported: 'City: city_divided',
    },
    {
      cells: { City: 'Lampenstr. 7, 04109 Leipzig' },
      becomes: { 'place.address': 'Lampenstr. 7', 'place.city': 'Leipzig' },
      reported: 'City: city_divided',
    },
    {
      cells: { City: 'Austin', Region: 'Texas' },
      becomes: { 'place.region': 'TX', 'place.country': 'US' },
    },
  ],
  'Choices and checkboxes': [
    { cells: { Format: 'Hybrid' }, becomes: { format: 'both' } },
    { cells: { Format: ['In-person', 'Online'] }, becomes: { format: 'both' } },
    { cells: { 'Project Types': 'Software, CAD' }, becomes: { projectTypes: ['Software', 'CAD'] } },
    { cells: { Pinned: 1 }, becomes: { pinned: true } },
    { cells: { Pinned: [true] }, becomes: { pinned: true } },
    {
      cells: { State: 'Sold out' },
      becomes: { state: 'scheduled' },
      reported: 'State: unknown_choice',
    },
  ],
};
