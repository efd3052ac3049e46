import { definePlugin, type Plugin } from '@agent-service/sdk'
import { clockService } from '@agent-service/sdk/services/clock'
import { telemetryService } from '@agent-service/sdk/services/telemetry'
import { noTelemetry } from './no-telemetry.js'
import { telemetrySection } from './telemetry-section.js'

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
