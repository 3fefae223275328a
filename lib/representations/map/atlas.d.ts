// Their own types would be those of a million numbers.
declare module 'world-atlas/countries-110m.json' {
  const atlas: import('./world.ts').Atlas;
  // biome-ignore lint/style/noDefaultExport: all JSON modules have one.
  export default atlas;
}
declare module 'world-atlas/countries-50m.json' {
  const atlas: import('./world.ts').Atlas;
  // biome-ignore lint/style/noDefaultExport: all JSON modules have one.
  export default atlas;
}
