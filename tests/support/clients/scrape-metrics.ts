import parsePrometheusTextFormat from 'parse-prometheus-text-format';

type Labels = Readonly<Record<string, string>>;

export type Scraped = Readonly<{
  text: string;
  /** The value of the sample with exactly these labels; 0 if there is none. */
  value: (sample: string, labels?: Labels) => number;
  /** The labels of all samples of this name. */
  labels: (sample: string) => Labels[];
}>;

/** Reads metrics over HTTP, as Prometheus does. */
export async function scrapeMetrics(url: string): Promise<Scraped> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The metrics are a ${response.status}.`);
  const text = await response.text();
  // Without its type a histogram is a list of samples; with it the parser mixes those of different labels.
  const families = parsePrometheusTextFormat(text.replace(/^# TYPE .*\n/gm, ''));
  const find = (sample: string) =>
    families.filter(({ name }) => name === sample).flatMap(({ metrics }) => metrics);
  return {
    text,
    value(sample, labels = {}) {
      const wanted = toText(labels);
      const found = find(sample).find((one) => toText(one.labels ?? {}) === wanted);
      return Number(found?.value ?? 0);
    },
    labels: (sample) => find(sample).map(({ labels = {} }) => labels),
  };
}

function toText(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort());
}
