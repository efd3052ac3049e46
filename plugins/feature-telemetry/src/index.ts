import { definePlugin, type Plugin, Type } from '@agent-service/sdk'
import { clockService } from '@agent-service/sdk/services/clock'
import { type Span, type Telemetry, telemetryService } from '@agent-service/sdk/services/telemetry'

/** Section `telemetry`. */
const telemetrySection = Type.Object(
  {
    otlp_url: Type.Optional(
      Type.String({
        description: 'OTLP endpoint (HTTP) for traces; /v1/traces is appended. Unset: nothing is sent.',
        format: 'http-url',
        examples: ['http://collector:4318'],
      }),
    ),
  },
  { title: 'Telemetry', description: 'Export of traces.' },
)

const noSpan: Span = {
  context: { trace_id: '0'.repeat(32), span_id: '0'.repeat(16) },
  set: () => undefined,
  end: () => undefined,
}

/** Discards all traces. */
const noTelemetry: Telemetry = { exporting: false, startSpan: () => noSpan }

/** Exports traces to an OTLP collector, if one is configured. Provides the service `telemetry`. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-telemetry',
    apiVersion: 1,
    description: 'Export of traces.',
    provides: ['telemetry'],
    sections: { telemetry: telemetrySection },
    permissions: [
      {
        kind: 'network',
        targetsFromConfiguration: ['/telemetry/otlp_url'],
        reason: 'Sends traces to the configured collector.',
      },
    ],
  },
  async setup(context) {
    const url = context.config.telemetry.otlp_url
    if (url === undefined) {
      context.provide(telemetryService, noTelemetry)
      return
    }
    // The libraries are loaded only if traces are exported.
    const { openTracing } = await import('./open-tracing.js')
    const clock = context.use(clockService)
    const tracing = openTracing({ url, log: context.log, now: () => clock.monotonic() })
    context.onDispose(() => tracing.close())
    context.provide(telemetryService, tracing)
  },
})
export default plugin
