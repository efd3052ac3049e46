import type { SpanAttributes, SpanStart, Telemetry } from '../../services/telemetry.js'

/** A span that a plugin began. */
export interface FakeSpan extends SpanStart {
  /** Its current attributes. */
  readonly attributes: SpanAttributes
  /** How it ended; undefined while it is open. */
  readonly outcome: { readonly errorType?: string } | undefined
}

/** Traces that a test reads. */
export interface FakeTelemetry extends Telemetry {
  /** Every span so far, in the order in which they began. */
  readonly spans: readonly FakeSpan[]
}

/** Records spans. */
export function createFakeTelemetry(): FakeTelemetry {
  const spans: { -readonly [Member in keyof FakeSpan]: FakeSpan[Member] }[] = []
  return {
    exporting: true,
    spans,
    startSpan(start) {
      const span: (typeof spans)[number] = { ...start, attributes: { ...start.attributes }, outcome: undefined }
      const number = spans.push(span)
      return {
        context: {
          trace_id: start.parent?.trace_id ?? number.toString(16).padStart(32, '0'),
          span_id: number.toString(16).padStart(16, '0'),
        },
        set(attributes) {
          if (span.outcome === undefined) span.attributes = { ...span.attributes, ...attributes }
        },
        end(outcome = {}) {
          span.outcome ??= outcome
        },
      }
    },
  }
}
