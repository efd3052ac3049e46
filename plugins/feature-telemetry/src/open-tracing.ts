import type { Logger } from '@agent-service/sdk'
import { settlesWithin } from '@agent-service/sdk/async'
import type { SpanStart, Telemetry } from '@agent-service/sdk/services/telemetry'
import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createNotingExporter } from './noting-exporter.js'

/** How long one attempt to reach the collector may take with all its retries, in milliseconds. */
const exportMs = 3_000
/** How long ended spans wait for others to be sent along with, in milliseconds. */
const delayMs = 2_000
/** How many ended spans may wait; those that come then are dropped. */
const queueSize = 2_048
/** How many are sent at once. */
const batchSize = 256
/** As many requests as may be under way, when all that waits is sent at the end. */
const concurrencyLimit = queueSize / batchSize + 1
/** How long the end of the service may wait for the collector, in milliseconds. */
const closeMs = 3_000

/** Traces that go to a collector. */
export interface Tracing extends Telemetry {
  /** Sends what is left, as far as the collector takes it within a limit. Spans that end later are dropped. Never rejects. */
  close(): Promise<void>
}

/** Opens the export to a collector at `url`. Opens no connection before the first span has ended. */
export function openTracing(options: {
  readonly url: string
  readonly log: Logger
  /** Monotonic, in milliseconds. */
  now(): number
}): Tracing {
  const exporter = createNotingExporter(
    new OTLPTraceExporter({ url: `${options.url.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: exportMs, concurrencyLimit }),
    { log: options.log, now: options.now, collector: new URL(options.url).host },
  )
  const processor = new BatchSpanProcessor(exporter, {
    maxQueueSize: queueSize,
    maxExportBatchSize: batchSize,
    scheduledDelayMillis: delayMs,
    exportTimeoutMillis: exportMs,
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'agent-service' }),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('agent-service')
  return {
    exporting: true,
    startSpan: (start) => startSpan(tracer, start),
    async close() {
      // What could not be sent has been noted where it was tried.
      const closed = provider.shutdown().catch(() => exporter.shutdown().catch(() => undefined))
      await settlesWithin(closed, { limitMs: closeMs })
    },
  }
}

function startSpan(tracer: Tracer, { name, kind, parent, attributes = {} }: SpanStart) {
  const above =
    parent === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, { traceId: parent.trace_id, spanId: parent.span_id, traceFlags: TraceFlags.SAMPLED })
  const span = tracer.startSpan(
    name,
    { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: attributes as Attributes },
    above,
  )
  const { traceId, spanId } = span.spanContext()
  let ended = false
  return {
    context: { trace_id: traceId, span_id: spanId },
    set(more: Readonly<Record<string, unknown>>) {
      if (!ended) span.setAttributes(more as Attributes)
    },
    end({ errorType }: { readonly errorType?: string } = {}) {
      if (ended) return
      ended = true
      if (errorType !== undefined) span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}
