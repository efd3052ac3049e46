import { type Static, Type } from '@agent-service/sdk'

/** Section `telemetry`. */
export const telemetrySection = Type.Object(
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

export type TelemetrySection = Static<typeof telemetrySection>
