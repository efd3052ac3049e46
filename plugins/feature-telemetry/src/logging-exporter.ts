import type { Logger } from '@agent-service/sdk'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'

/** The minimum time between two warnings, in milliseconds. */
const minWarningIntervalMs = 60_000

/** An exporter that logs its failures, at most once a minute. */
export function createLoggingExporter(
  exporter: SpanExporter,
  { log, now, collector }: { readonly log: Logger; now(): number; readonly collector: string },
): SpanExporter {
  let warnedAt: number | undefined
  let lost = 0
  const logFailure = (spans: number, error: Error | undefined): void => {
    lost += spans
    if (warnedAt !== undefined && now() - warnedAt < minWarningIntervalMs) return
    warnedAt = now()
    log.warn('Traces could not be sent to the collector and are lost.', { collector, spans: lost, reason: reasonOf(error) })
    lost = 0
  }
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== 0) logFailure(spans.length, result.error)
        done(result)
      })
    },
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

/** A reason without the collector's address, which may contain a key. */
function reasonOf(error: Error | undefined): string {
  if (error === undefined) return 'unknown'
  const { code } = error as { readonly code?: unknown }
  return code === undefined ? error.name : String(code)
}
