import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { metricsRegistry } from '@/infra/metrics';
import './metrics';

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

it('the Grafana dashboard shows all of our metrics, and only metrics that the server exposes', async () => {
  const { panels } = JSON.parse(readFileSync('docs/grafana.json', 'utf8')) as Dashboard;
  const shown = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:threshold|process|nodejs)_\w+/g) ?? []),
  );
  const named = new Set(shown.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')));
  const process_metrics = new Registry();
  collectDefaultMetrics({ register: process_metrics });
  const ours = metricsRegistry.getMetricsAsArray().flatMap(({ name }) => (name.startsWith('threshold_') ? [name] : []));
  const exposed = new Set([...ours, ...process_metrics.getMetricsAsArray().map(({ name }) => name)]);
  expect([...named].filter((name) => !exposed.has(name))).toEqual([]);
  expect(ours.filter((name) => !named.has(name))).toEqual([]);
});
