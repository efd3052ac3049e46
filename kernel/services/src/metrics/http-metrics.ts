import { performance } from 'node:perf_hooks'
import type { RouteAccess } from '@agent-service/kernel-core/http/request'
import type { HttpMetrics } from '@agent-service/kernel-core/http/server'
import type { MetricSource } from '@agent-service/kernel-core/metrics'
import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'
import { metricText } from './metric-text.js'
import { createMetricsRoute } from './metrics-route.js'

/** Codes are constants of programs; those of many plugins beyond this share a series. */
const maxCodes = 300
const usualMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Makes the metrics. Their labels have operationIds and never paths, so the number of series is
 * bounded.
 */
export function createHttpMetrics(
  {
    openCounts,
    routeAccess,
  }: { readonly openCounts: () => { readonly requests: number; readonly streams: number }; readonly routeAccess: RouteAccess },
  further: () => readonly MetricSource[] = () => [],
): HttpMetrics {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers })
  const requests = counter('http_requests_total', 'Answered requests by operation and status.', ['operation', 'method', 'status'])
  const problems = counter('http_problems_total', 'Requests that were answered with a problem, by its code.', ['code', 'status'])
  const codes = new Set<string>()
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response, without streams.',
    labelNames: ['operation'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  const openWebSockets = new Gauge({
    name: 'websocket_connections_open',
    help: 'Open WebSockets by operation.',
    labelNames: ['operation'] as const,
    registers,
  })
  const endedWebSockets = counter('websocket_connections_ended_total', 'Closed WebSockets by operation and close code.', [
    'operation',
    'code',
  ])
  const messages = counter(
    'websocket_messages_total',
    'WebSocket messages by operation and direction: “in” is from the client to the service.',
    ['operation', 'direction'],
  )
  const refused = counter('websocket_refused_total', 'Refused WebSocket handshakes by operation and status.', ['operation', 'status'])
  const gauge = (name: string, help: string, read: () => number) => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  gauge('http_requests_open', 'Requests in progress.', () => openCounts().requests)
  gauge('http_streams_open', 'Open event streams.', () => openCounts().streams)
  gauge('process_resident_memory_bytes', 'Resident memory in bytes.', () => process.memoryUsage.rss())
  gauge('process_heap_used_bytes', 'Used JavaScript heap in bytes.', () => process.memoryUsage().heapUsed)
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time in seconds.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1_000_000)
    },
  })
  gauge('process_start_time_seconds', 'Start time of the process in seconds since 1970.', () => Math.round(performance.timeOrigin) / 1000)
  gauge(
    'process_event_loop_utilization',
    'Share of the time since the start in which the event loop was busy, from 0 to 1.',
    () => performance.eventLoopUtilization().utilization,
  )

  return {
    observe(exchange, durationMs) {
      const operation = exchange.route?.operationId ?? (exchange.site === undefined ? 'none' : 'site')
      const method = usualMethods.has(exchange.method) ? exchange.method : 'other'
      requests.inc({ operation, method, status: String(exchange.response.statusCode) })
      if (exchange.problemCode !== undefined) {
        if (codes.size < maxCodes) codes.add(exchange.problemCode)
        const code = codes.has(exchange.problemCode) ? exchange.problemCode : 'other'
        problems.inc({ code, status: String(exchange.response.statusCode) })
      }
      if (!exchange.route?.streaming && exchange.response.statusCode !== 101) durations.observe({ operation }, durationMs / 1000)
    },
    webSocketOpened: (operation) => openWebSockets.inc({ operation }),
    webSocketClosed(operation, code) {
      openWebSockets.dec({ operation })
      // Handlers and clients can use many codes; all that are not of the protocol share one series.
      endedWebSockets.inc({ operation, code: code >= 1000 && code <= 1015 ? String(code) : 'other' })
    },
    webSocketMessage: (operation, direction) => messages.inc({ operation, direction }),
    webSocketRefused: (operation = 'none', status) => refused.inc({ operation, status: String(status) }),
    routes: [
      createMetricsRoute(routeAccess, async () => ({
        contentType: registry.contentType,
        text: `${await registry.metrics()}\n${metricText(further())}`,
      })),
    ],
  }
}
