import { performance } from 'node:perf_hooks'
import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'
import { type MetricSource, metricText } from '../metric-source.js'
import type { Exchange } from '../request/exchange.js'

/** The numbers that `/metrics` gives, in a registry of their own. */
export interface HttpMetrics {
  observe(exchange: Exchange, durationMs: number): void
  webSocketOpened(operation: string): void
  webSocketClosed(operation: string, code: number): void
  webSocketMessage(operation: string, direction: 'in' | 'out'): void
  /** A handshake that was answered with a problem; without an operation where its path has none. */
  webSocketRefused(operation: string | undefined, status: number): void
  /** In the Prometheus text format. */
  text(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** Makes the metrics. Routes are named by their operationId, never by a path, so that the number of series stays bounded. */
export function createHttpMetrics(
  openCounts: () => { readonly requests: number; readonly streams: number },
  further: () => readonly MetricSource[] = () => [],
): HttpMetrics {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers })
  const requests = counter('http_requests_total', 'Answered requests by operation and status.', ['operation', 'method', 'status'])
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request’s head to the end of its answer, streams apart.',
    labelNames: ['operation'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  const openWebSockets = new Gauge({
    name: 'websocket_connections_open',
    help: 'WebSockets that are open, by operation.',
    labelNames: ['operation'] as const,
    registers,
  })
  const endedWebSockets = counter('websocket_connections_ended_total', 'WebSockets that ended, by operation and close code.', [
    'operation',
    'code',
  ])
  const messages = counter('websocket_messages_total', 'Messages by operation and direction, as the service sees it.', [
    'operation',
    'direction',
  ])
  const refused = counter('websocket_refused_total', 'Handshakes that were answered with a problem, by operation and status.', [
    'operation',
    'status',
  ])
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
  gauge('http_requests_open', 'Requests that are being answered.', () => openCounts().requests)
  gauge('http_streams_open', 'Event streams that are open.', () => openCounts().streams)
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  gauge('process_heap_used_bytes', 'Used JavaScript heap.', () => process.memoryUsage().heapUsed)
  gauge('process_cpu_seconds_total', 'User and system CPU time.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000_000
  })
  gauge('process_start_time_seconds', 'Start of the process since 1970.', () => Math.round(performance.timeOrigin) / 1000)
  gauge(
    'process_event_loop_utilization',
    'Share of time that the event loop was busy since the start.',
    () => performance.eventLoopUtilization().utilization,
  )

  return {
    observe(exchange, durationMs) {
      const operation = exchange.route?.operationId ?? (exchange.site === undefined ? 'none' : 'site')
      const method = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(exchange.method) ? exchange.method : 'other'
      requests.inc({ operation, method, status: String(exchange.response.statusCode) })
      if (!exchange.route?.streaming && exchange.response.statusCode !== 101) durations.observe({ operation }, durationMs / 1000)
    },
    webSocketOpened: (operation) => openWebSockets.inc({ operation }),
    webSocketClosed(operation, code) {
      openWebSockets.dec({ operation })
      // Codes of handlers and clients are many; what is not of the protocol is one series.
      endedWebSockets.inc({ operation, code: code >= 1000 && code <= 1015 ? String(code) : 'other' })
    },
    webSocketMessage: (operation, direction) => messages.inc({ operation, direction }),
    webSocketRefused: (operation = 'none', status) => refused.inc({ operation, status: String(status) }),
    async text() {
      return { contentType: registry.contentType, text: `${await registry.metrics()}\n${metricText(further())}` }
    },
  }
}
