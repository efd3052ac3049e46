import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { diskFigures, diskFiguresSchema, processFigures, processFiguresSchema } from './process-figures.js'
import type { HealthChecks } from './run-checks.js'

const tags = ['administration']
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** What the service says about itself now. */
export interface ServiceState {
  /** Null if it is ready, else what is impaired: `storage_full`. */
  readonly impaired: string | null
  readonly reason: string | null
}

const healthSchema = namedObject('ServiceHealth', {
  version: Type.String({ examples: ['0.1.0'] }),
  started_at: Type.String({ description: 'When the service began, after its last restart.' }),
  impaired: textOrNull('As in `/readyz`: null if the service is ready.'),
  reason: textOrNull('Why it is impaired.'),
  process: processFiguresSchema,
  disk: Type.Union([diskFiguresSchema, Type.Null()]),
  database: namedObject('DatabaseState', {
    driver: Type.String({ examples: ['sqlite'] }),
    writable: Type.Boolean(),
    reason: textOrNull('Why it cannot be written.'),
  }),
  configuration: namedObject('ConfigurationState', {
    path: Type.String({ description: 'The configuration file.' }),
    exists: Type.Boolean(),
    warnings: Type.Array(Type.String()),
  }),
})

const checksSchema = namedObject('HealthChecks', {
  at: Type.String({ description: 'When they ran.' }),
  checks: Type.Array(
    namedObject('HealthCheck', {
      id: Type.String(),
      title: Type.String({ examples: ['Sandbox'] }),
      plugin: textOrNull('The plugin whose check it is; null for the service itself.'),
      findings: Type.Array(
        namedObject('HealthFinding', {
          state: Type.Union([Type.Literal('well'), Type.Literal('warning'), Type.Literal('failed')]),
          text: Type.String(),
        }),
      ),
    }),
  ),
})

/** How the service does, and the checks of `doctor`. For administrators. */
export function createHealthRoutes(dependencies: {
  readonly version: string
  readonly startedAt: string
  readonly dataFolder: string
  readonly state: () => ServiceState
  readonly database: () => { readonly driver: string; readonly writable: boolean; readonly reason: string | null }
  readonly configuration: { readonly path: string; readonly exists: boolean; readonly warnings: readonly string[] }
  readonly checks: HealthChecks
}): readonly HttpRoute[] {
  const { version, startedAt, dataFolder, state, database, configuration, checks } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/health',
      operationId: 'getServiceHealth',
      summary: 'How the service does: state, process, disk, database, configuration',
      description:
        'The event loop is watched for a tenth of a second before the answer. Plugins, providers and the sandbox have routes of their own.',
      tags,
      auth: 'admin',
      answers: { 200: { description: 'The state and the figures of the process that answers.', schema: healthSchema } },
      async handle({ signal }) {
        const [figures, disk] = await Promise.all([processFigures(signal), diskFigures(dataFolder)])
        return ok({
          ...{ version, started_at: startedAt, ...state(), process: figures, disk, database: database() },
          configuration: { ...configuration, warnings: [...configuration.warnings] },
        })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/health/checks',
      operationId: 'runHealthChecks',
      summary: 'Run the checks of doctor in the running service',
      description: 'Those of the service and of the active plugins. They change nothing. Calls while they run get the same result.',
      tags,
      auth: 'admin',
      changes: false,
      answers: { 200: { description: 'What they found.', schema: checksSchema } },
      async handle() {
        const { at, results } = await checks.run()
        return ok({
          at,
          checks: results.map(({ findings, ...check }) => ({ ...check, findings: findings.map((finding) => ({ ...finding })) })),
        })
      },
    }),
  ]
}
