declare module 'parse-prometheus-text-format' {
  type Sample = Readonly<{ value?: string; labels?: Readonly<Record<string, string>> }>;
  export type MetricFamily = Readonly<{
    name: string;
    metrics: readonly Sample[];
  }>;
  function parsePrometheusTextFormat(text: string): MetricFamily[];
  export = parsePrometheusTextFormat;
}
