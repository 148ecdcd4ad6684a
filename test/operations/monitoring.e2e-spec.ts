import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type ScrapedMetrics, scrapeMetrics } from '../support/http/scrape-metrics';
import { hasPromtool, promtool } from '../support/peers/promtool';
import { REPOSITORY } from '../support/service/built-service';
import { startTestApp } from '../support/test-app';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Dashboard {
  uid: string;
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}

const PROMETHEUS = join(REPOSITORY, 'deploy', 'prometheus');
const read = (...path: string[]) => readFileSync(join(REPOSITORY, ...path), 'utf8');

const rules = (
  parse(read('deploy', 'prometheus', 'rules.yml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const dashboards = globSync(join(REPOSITORY, 'deploy', 'grafana', '*.json')).map((file) => ({
  name: basename(file),
  board: JSON.parse(readFileSync(file, 'utf8')) as Dashboard,
}));
const queries = dashboards.flatMap(({ board }) =>
  board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
);

/** The metrics that an expression reads. `up` is that of Prometheus itself. */
const metricsIn = (text: string) =>
  [...text.matchAll(/\b(?:vcq|http|process|nodejs)_[a-z_]+\b/g)].map(([name]) => name);

const itWithPromtool = hasPromtool() ? it : it.skip;

let metrics: ScrapedMetrics;

/** With Redis, because some metrics exist only then. No server listens on its port. */
beforeAll(async () => {
  const test = await startTestApp({ env: { REDIS_URL: 'redis://127.0.0.1:1' } });
  // Without a request the histogram of HTTP has no series.
  await test.api.get('/healthz');
  await test.db.query('INSERT INTO view_refreshes (refreshed_at, duration_ms) VALUES (now(), 1)');
  metrics = await scrapeMetrics(test.url);
  await test.close();
});

describe('/metrics', () => {
  itWithPromtool('follows the conventions of Prometheus', () => {
    expect(promtool(['check', 'metrics'], metrics.text)).toBe('');
  });

  it('has the metrics that are documented, and no others', () => {
    const documented = new Set(
      [...read('docs', 'metrics.md').matchAll(/^\| `(vcq_\w+)`/gm)].map(([, name]) => name),
    );
    const served = [...metrics.text.matchAll(/^# TYPE (vcq_\w+)/gm)].map(([, name]) => name);
    expect(served.toSorted()).toEqual([...documented].toSorted());
  });

  it('names no company and no department', () => {
    expect(metrics.text).not.toMatch(/tenant|department|[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it('measures requests of up to 30 s', () => {
    expect(metrics.text).toMatch(/^http_request_duration_seconds_bucket\{le="30",.*route="\/healthz"/m);
  });
});

describe('the dashboards', () => {
  it('have panels with ids of their own', () => {
    expect(dashboards.map(({ name }) => name).toSorted()).toEqual(['calls.json', 'service.json']);
    for (const { board } of dashboards) {
      expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    }
  });

  it.each(queries)('read only metrics that exist: %s', (query) => {
    for (const name of metricsIn(query)) expect(metrics.names).toContain(name);
  });

  itWithPromtool('have valid queries', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dashboards-'));
    try {
      const file = join(folder, 'queries.yml');
      const recorded = queries.map((expr, index) => ({
        record: `query:${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }));
      writeFileSync(file, stringify({ groups: [{ name: 'dashboards', rules: recorded }] }));
      expect(promtool(['check', 'rules', file])).toContain(`${queries.length} rules found`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the alerts', () => {
  it.each(rules)(
    '$alert reads only metrics that exist, and the runbook has a section for it',
    ({ alert, expr, annotations }) => {
      for (const name of metricsIn(expr)) expect(metrics.names).toContain(name);
      expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
      expect(read('docs', 'runbook.md')).toMatch(new RegExp(`^## ${alert}$`, 'm'));
    },
  );

  it('are the only sections of the runbook', () => {
    const sections = [...read('docs', 'runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
  });

  it('have a test in which they fire and one in which they are silent', () => {
    const { tests } = parse(read('deploy', 'prometheus', 'rules.test.yml')) as { tests: { name: string }[] };
    const expected = rules.flatMap(({ alert }) => [`${alert} fires`, `${alert} stays silent`]);
    // A further one says of what the alert is silent.
    const names = tests.map(({ name }) => name.replace(/ for .*/, ''));
    expect([...new Set(names)]).toEqual(expected);
  });

  itWithPromtool('pass their tests', () => {
    expect(promtool(['check', 'rules', join(PROMETHEUS, 'rules.yml')])).toContain('SUCCESS');
    expect(promtool(['test', 'rules', join(PROMETHEUS, 'rules.test.yml')])).toContain('SUCCESS');
  });
});
