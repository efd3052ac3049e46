import type { Metrics } from '@agent-service/sdk/services/metrics'

/** What is measured of the browser. */
export interface BrowserMetrics {
  /** A call of a tool ended: `done` or `failed`. */
  called(tool: string, outcome: 'done' | 'failed'): void
  /** An attempt to open a browser ended. */
  opened(outcome: 'done' | 'failed', milliseconds: number): void
  /** A page wanted to reach a closed address. */
  refused(): void
  /** A page was rendered for `web_fetch` or another. */
  rendered(outcome: 'done' | 'failed'): void
}

export function createBrowserMetrics(metrics: Metrics, sessions: () => number): BrowserMetrics {
  const calls = metrics.counter({ name: 'browser_calls_total', help: 'Calls of browser tools.', labels: ['tool', 'outcome'] })
  const renderings = metrics.counter({ name: 'browser_renderings_total', help: 'Pages rendered for others.', labels: ['outcome'] })
  const refusals = metrics.counter({ name: 'browser_refusals_total', help: 'Requests of pages to closed addresses.', labels: [] })
  const opening = metrics.histogram({
    name: 'browser_open_seconds',
    help: 'Time until a browser was open, or could not be opened.',
    labels: ['outcome'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  })
  metrics.gauge({ name: 'browser_sessions', help: 'Open browser sessions.', labels: [], read: () => [{ labels: {}, value: sessions() }] })
  return {
    called: (tool, outcome) => calls.add({ tool, outcome }),
    opened: (outcome, milliseconds) => opening.observe({ outcome }, Math.max(0, milliseconds) / 1_000),
    refused: () => refusals.add({}),
    rendered: (outcome) => renderings.add({ outcome }),
  }
}
