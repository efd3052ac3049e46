import { defineServiceReference } from '../core/service-reference.js'

/** Where a span stands: what a span below it is given as its parent. May be stored and sent. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace_id: string
  /** 16 hexadecimal digits. */
  readonly span_id: string
}

/** What is known of a span, by the names of the OpenTelemetry conventions. No content of messages, no secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** A span that begins now. */
export interface SpanStart {
  /** Few different ones: what varies goes into the attributes. */
  readonly name: string
  /** `client`: another service is asked. Default `internal`. */
  readonly kind?: 'internal' | 'client'
  /** What it is part of. Default: a trace of its own. */
  readonly parent?: TraceContext
  /** What is known already. Default: nothing. */
  readonly attributes?: SpanAttributes
}

/** A piece of work that goes on. Its members never throw and never wait. */
export interface Span {
  /** Where it stands. */
  readonly context: TraceContext
  /** Adds to what is known; a name that is known already takes the new value. Nothing once the span has ended. */
  set(attributes: SpanAttributes): void
  /** Ends it; a second time nothing happens. `errorType` says of one that failed what kind of failure it was. */
  end(outcome?: { readonly errorType?: string }): void
}

/**
 * Traces of what the service does. Those who use it get along without it.
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
