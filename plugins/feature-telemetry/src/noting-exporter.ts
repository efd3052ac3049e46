import type { Logger } from '@agent-service/sdk'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'

/** How long after a warning the next one may come, in milliseconds. */
const quietMs = 60_000

/** An exporter whose failures are warned of, at most once a minute. */
export function createNotingExporter(
  exporter: SpanExporter,
  { log, now, collector }: { readonly log: Logger; now(): number; readonly collector: string },
): SpanExporter {
  let warnedAt: number | undefined
  let lost = 0
  const note = (spans: number, error: Error | undefined): void => {
    lost += spans
    if (warnedAt !== undefined && now() - warnedAt < quietMs) return
    warnedAt = now()
    log.warn('Traces could not be sent to the collector and are lost.', { collector, spans: lost, reason: reasonOf(error) })
    lost = 0
  }
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== 0) note(spans.length, result.error)
        done(result)
      })
    },
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

/** Words without an address: the collector's may hold a key. */
function reasonOf(error: Error | undefined): string {
  if (error === undefined) return 'unknown'
  const { code } = error as { readonly code?: unknown }
  return code === undefined ? error.name : String(code)
}
