import { defineServiceReference } from '../core/service-reference.js'

/** The context of a span, which a child span gets as its parent. May be stored and sent. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace_id: string
  /** 16 hexadecimal digits. */
  readonly span_id: string
}

/**
 * Attributes of a span, by the names of the OpenTelemetry conventions. No content of messages, no
 * secret.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** A span that begins now. */
export interface SpanStart {
  /** Low cardinality: variable parts go into the attributes. */
  readonly name: string
  /** `client`: another service is asked. Default `internal`. */
  readonly kind?: 'internal' | 'client'
  /** What it is part of. Default: a trace of its own. */
  readonly parent?: TraceContext
  /** Initial attributes. Default: none. */
  readonly attributes?: SpanAttributes
}

/** An open span. Its members never throw and never wait. */
export interface Span {
  /** Its status. */
  readonly context: TraceContext
  /** Sets attributes; a known name gets the new value. Does nothing once the span has ended. */
  set(attributes: SpanAttributes): void
  /**
   * Ends it; a second time nothing happens. `errorType` says of one that failed what kind of
   * failure it was.
   */
  end(outcome?: { readonly errorType?: string }): void
}

/**
 * Traces of the service. Plugins must work without it.
 *
 * @example
 * const span = context.use(telemetryService).startSpan({ name: 'roll dice' })
 * span.set({ 'dice.count': 2 })
 * span.end()
 */
export interface Telemetry {
  /**
   * Whether spans are exported. Otherwise they cost nothing and need not be made. Constant while
   * the plugin runs.
   */
  readonly exporting: boolean
  /** Begins a span. The caller ends it. Never throws. */
  startSpan(start: SpanStart): Span
}

/** Traces. Provided by `feature-telemetry`. */
export const telemetryService = defineServiceReference<Telemetry>()('telemetry')
