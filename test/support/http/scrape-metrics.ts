/** The answer of /metrics. */
export class ScrapedMetrics {
  private readonly values: Map<string, number>;

  constructor(readonly text: string) {
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.values = new Map(
      samples.map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
    );
  }

  /** @param series as in `vcq_agents{state="paused"}` @returns undefined if there is no such series */
  valueOf(series: string): number | undefined {
    return this.values.get(series);
  }

  /** The names of the metrics, and those of the series of histograms. */
  get names(): Set<string> {
    const declared = [...this.text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? '');
    return new Set([...declared, ...[...this.values.keys()].map((series) => series.replace(/\{.*/, ''))]);
  }
}

/** Scrapes the service as Prometheus does. @throws Error unless the response is 200 */
export async function scrapeMetrics(url: string): Promise<ScrapedMetrics> {
  const response = await fetch(`${url}/metrics`);
  if (!response.ok) throw new Error(`/metrics answers ${response.status}`);
  return new ScrapedMetrics(await response.text());
}
