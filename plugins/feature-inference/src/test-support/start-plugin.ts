import type { JsonObject } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import type { ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { auditService } from '@agent-service/sdk/services/audit'
import { cacheFilesService } from '@agent-service/sdk/services/cache-files'
import { clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { credentialsService } from '@agent-service/sdk/services/credentials'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import { type Inference, type InferenceEvent, type InferenceRequest, inferenceService } from '@agent-service/sdk/services/inference'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { resourcesService } from '@agent-service/sdk/services/resources'
import { sealedFieldsService, secretsService } from '@agent-service/sdk/services/secrets'
import { urlService } from '@agent-service/sdk/services/urls'
import { createFakeMetrics, createFakeQuotas, createTestContext } from '@agent-service/sdk/testing'
import plugin from '../index.js'
import { createFakeCredentials, fakeSealedFields, fakeUrls } from './credential-fakes.js'
import { createFakeContributions, createFakeSecrets, createInstantClock, emptyCache, emptyDatabase, repositoryResources } from './fakes.js'

/** The custom connection that most tests use. */
export const workConnection: JsonObject = {
  provider: 'house',
  adapter: 'adapter_alpha',
  base_url: 'http://127.0.0.1:9/v1/',
  api_key: '${WORK_KEY}',
  enabled: true,
}

/** Starts the plugin with a configuration and an environment. */
export async function startPlugin(options: {
  readonly providers?: JsonObject
  readonly models?: JsonObject
  readonly environment?: Record<string, string>
  readonly adapters?: readonly ProviderAdapter[]
  readonly database?: Database
}) {
  const secrets = createFakeSecrets(options.environment ?? { WORK_KEY: 'key-of-work' })
  const clock = createInstantClock()
  const quotas = createFakeQuotas()
  const metrics = createFakeMetrics()
  const contributions = createFakeContributions(options.adapters ?? [])
  const test = createTestContext<unknown>({
    config: {
      inference: {
        max_tool_turns: 200,
        default_max_tokens: 8192,
        compaction_trigger_pct: 80,
        history_truncation_pct: 90,
        timeouts: { connect_secs: 30, first_token_secs: 300, idle_secs: 120, total_secs: 3600 },
      },
      providers: options.providers ?? {},
      models: options.models ?? {},
    },
    services: [
      [secretsService, secrets],
      [clockService, clock],
      [contributionsService, contributions],
      [resourcesService, repositoryResources],
      [cacheFilesService, emptyCache],
      [databaseService, options.database ?? emptyDatabase],
      [sealedFieldsService, fakeSealedFields],
      [credentialsService, createFakeCredentials()],
      [auditService, { note: () => Promise.resolve() }],
      [urlService, fakeUrls],
      [quotasService, quotas],
      [metricsService, metrics],
      [accountsService, { get: () => Promise.resolve(undefined) }],
    ],
  })
  await plugin.setup(test.context)
  const inference = test.provided(inferenceService)
  const route = test.contributed<HttpRoute>(httpRoutes)[0]
  if (!inference || !route) throw new Error('The plugin provided no inference.')
  return {
    inference,
    route,
    routes: test.contributed<HttpRoute>(httpRoutes),
    secrets,
    clock,
    contributions,
    quotas,
    metrics,
    lines: test.lines,
    dispose: test.dispose,
  }
}

/** Everything that an inference yields, and the error that it ended with. */
export async function infer(
  inference: Inference,
  changes: Partial<InferenceRequest> = {},
  signal: AbortSignal = new AbortController().signal,
) {
  const events: InferenceEvent[] = []
  let error: unknown
  try {
    for await (const event of inference.infer({ group: 'primary', messages: [], tools: [], ...changes }, { signal })) events.push(event)
  } catch (thrown) {
    error = thrown
  }
  return { events, error, types: events.map((event) => event.type) }
}
