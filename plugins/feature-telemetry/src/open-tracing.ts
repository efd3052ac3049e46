import type { Logger } from '@agent-service/sdk'
import { settlesWithin } from '@agent-service/sdk/async'
import type { SpanStart, Telemetry } from '@agent-service/sdk/services/telemetry'
import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createLoggingExporter } from './logging-exporter.js'

/** How long one export may take, including its retries, in milliseconds. */
const maxExportMs = 3_000
/** How long ended spans wait for a batch, in milliseconds. */
const delayMs = 2_000
/** How many ended spans may wait; further ones are dropped. */
const maxQueueSize = 2_048
/** How many spans are sent at once. */
const maxBatchSize = 256
/** Enough concurrent requests to send the whole queue at the end. */
const concurrencyLimit = maxQueueSize / maxBatchSize + 1
/** How long stopping the service may wait for the collector, in milliseconds. */
const maxCloseMs = 3_000

/** Traces that go to a collector. */
export interface Tracing extends Telemetry {
  /**
   * Sends the remaining spans within a time limit. Spans that end later are dropped. Never rejects.
   */
  close(): Promise<void>
}

/**
 * Opens the export to a collector at `url`. Opens no connection before the first span has ended.
 */
export function openTracing(options: {
  readonly url: string
  readonly log: Logger
  /** Monotonic, in milliseconds. */
  now(): number
}): Tracing {
  const exporter = createLoggingExporter(
    new OTLPTraceExporter({ url: `${options.url.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: maxExportMs, concurrencyLimit }),
    { log: options.log, now: options.now, collector: new URL(options.url).host },
  )
  const processor = new BatchSpanProcessor(exporter, {
    maxQueueSize,
    maxExportBatchSize: maxBatchSize,
    scheduledDelayMillis: delayMs,
    exportTimeoutMillis: maxExportMs,
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
      // The exporter has logged failures.
      const closed = provider.shutdown().catch(() => exporter.shutdown().catch(() => undefined))
      await settlesWithin(closed, { limitMs: maxCloseMs })
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
