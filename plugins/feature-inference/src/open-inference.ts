import type { Logger, PluginContext, Static } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { auditService } from '@agent-service/sdk/services/audit'
import { cacheFilesService } from '@agent-service/sdk/services/cache-files'
import { type Clock, clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { credentialsService } from '@agent-service/sdk/services/credentials'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import type { Inference } from '@agent-service/sdk/services/inference'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { resourcesService } from '@agent-service/sdk/services/resources'
import { type Secrets, sealedFieldsService, secretsService } from '@agent-service/sdk/services/secrets'
import { telemetryService } from '@agent-service/sdk/services/telemetry'
import { urlService } from '@agent-service/sdk/services/urls'
import { createAdaptersSettled } from './calls/adapters-settled.js'
import { createAdmission } from './calls/admission.js'
import { createConnectionBreaker } from './calls/connection-breaker.js'
import { createInference } from './calls/create-inference.js'
import { createRefusedParts, type RefusedParts } from './calls/omissions/refused-parts.js'
import { createRefusedTools, type RefusedTools } from './calls/omissions/refused-tools.js'
import { prepareAdapters } from './calls/prepare-adapters.js'
import { createRateGate } from './calls/rate-gate.js'
import { warnOfAdapters } from './calls/warn-of-adapters.js'
import type { Catalogue } from './catalogue/catalogue.js'
import type { CatalogueRefresh } from './catalogue/refresh/catalogue-refresh.js'
import { openCatalogue } from './catalogue/refresh/open-catalogue.js'
import type { CallRecord } from './common/call-record.js'
import type { inferenceSection } from './configuration/inference-section.js'
import type { ModelsSection } from './configuration/models-section.js'
import type { ProvidersSection } from './configuration/providers-section.js'
import { createConnectionRoutes } from './connection-routes/connection-routes.js'
import { createGroupTestRoute } from './connection-routes/group-test-route.js'
import { type Connections, createConnections, type ReadVariable } from './connections/connections.js'
import { type BrandCredentials, openCredentials } from './credential-routes/open-credentials.js'
import { createCallMetrics } from './metrics/call-metrics.js'
import { createPictureReducer } from './pictures/picture-reducer.js'
import { createCatalogueRoutes } from './routes/catalogue-routes.js'
import { createModelsRoute } from './routes/models-route.js'
import { createGroupRegistry, type GroupRegistry } from './targets/group-registry.js'
import type { ProtocolChange } from './targets/target-dependencies.js'
import { createTokenCounter } from './tokens/create-token-counter.js'
import { createTokenWorker } from './tokens/create-token-worker.js'
import { type BudgetGuard, createBudgetGuard } from './usage/budget-guard.js'
import { createBudgetRoutes } from './usage/budget-routes.js'
import { createBudgetUsages } from './usage/budget-usage.js'
import { createLossLedger } from './usage/loss-ledger.js'
import { costOf, dollarsOf } from './usage/price.js'
import { costOfCall } from './usage/store-calls.js'
import { createUsageLedger, type UsageLedger } from './usage/usage-ledger.js'
import { createUsageRoutes } from './usage/usage-routes.js'

/** The three sections of the configuration. */
export interface InferenceConfiguration {
  readonly inference: Static<typeof inferenceSection>
  readonly providers: ProvidersSection
  readonly models: unknown
}

type Context = PluginContext<InferenceConfiguration>

/** Models as configured and installed, with their credentials. */
interface Models {
  readonly catalogue: Catalogue
  readonly refresh: CatalogueRefresh
  readonly connections: Connections
  readonly groups: GroupRegistry
  readonly refusedTools: RefusedTools
  readonly credentials: BrandCredentials
}

/** Usage and cost of calls. */
interface Accounting {
  readonly ledger: UsageLedger
  readonly budgets: BudgetGuard
  /** Resolves when all calls that have ended are stored. */
  settled(): Promise<void>
}

/** The plugin once it is open. */
export interface OpenInference {
  readonly inference: Inference
  readonly routes: readonly HttpRoute[]
  readonly database: Database
  readonly clock: Clock
  readonly refusedParts: RefusedParts
  /** Resolves when all calls that have ended are stored. */
  settled(): Promise<void>
}

/** Reads the catalogue, joins connections and groups, and makes the service. */
export async function openInference(context: Context): Promise<OpenInference> {
  const database = context.use(databaseService)
  const clock = context.use(clockService)
  const models = await openModels(context)
  const accounting = openAccounting(context, models.catalogue)
  const refusedParts = createRefusedParts({ database, clock, log: context.log })
  const inference = createService(context, models, accounting, refusedParts)
  return { inference, database, clock, refusedParts, settled: accounting.settled, routes: routesOf(context, inference, models, accounting) }
}

async function openModels(context: Context): Promise<Models> {
  const { providers, models } = context.config
  const { log, signal } = context
  const secrets = context.use(secretsService)
  const clock = context.use(clockService)
  const { catalogue, refresh } = await openCatalogue({
    ...{ resources: context.use(resourcesService), cache: context.use(cacheFilesService), clock, log, signal },
  })
  const connections = createConnections(providers, catalogue, variablesOf(secrets))
  const refusedTools = createRefusedTools(() => clock.monotonic())
  const groups = createGroupRegistry(models as ModelsSection, {
    ...{ connections, catalogue, refusedTools, anyProviderConfigured: Object.keys(providers).length > 0 },
  })
  const credentials = await openCredentials({
    ...{ secrets, clock, catalogue, connections, groups, log },
    credentials: context.use(credentialsService),
    database: context.use(databaseService),
    sealedFields: context.use(sealedFieldsService),
    contributions: context.use(contributionsService),
    audit: context.use(auditService),
    urls: context.use(urlService),
  })
  return { catalogue, refresh, connections, groups, refusedTools, credentials }
}

function openAccounting(context: Context, catalogue: Catalogue): Accounting {
  const database = context.use(databaseService)
  const clock = context.use(clockService)
  const ledger = createUsageLedger({ database, clock, log: context.log, catalogue: () => catalogue })
  const settled = (): Promise<void> => ledger.settled()
  context.onDispose(settled)
  const usages = createBudgetUsages({ database, clock, settled })
  return { ledger, settled, budgets: createBudgetGuard({ usages, clock, quotas: context.use(quotasService) }) }
}

function createService(
  context: Context,
  { catalogue, connections, groups, refusedTools, credentials }: Models,
  accounting: Accounting,
  refusedParts: RefusedParts,
): Inference {
  const { timeouts, max_tool_turns, default_max_tokens, history_truncation_pct } = context.config.inference
  const { log } = context
  const { ledger, budgets } = accounting
  const clock = context.use(clockService)
  const telemetry = context.use(telemetryService, { optional: true })
  const losses = createLossLedger({ database: context.use(databaseService), catalogue: () => catalogue, ledger, log })
  const tokenWorker = createTokenWorker({ clock })
  context.onDispose(() => tokenWorker.close())
  const limits = { max_tool_turns, default_max_tokens, history_truncation_pct }
  const calls = createCallMetrics(context.use(metricsService))
  const measure = (record: CallRecord): void => {
    const cost = costOfCall(record, catalogue)
    calls.ended(record, cost === undefined ? undefined : dollarsOf(cost))
  }
  const countTokens = createTokenCounter({ groups: () => groups.list(), limits, worker: tokenWorker, log })
  const targets = {
    ...{ catalogue, connections, timeouts: millisecondsOf(timeouts) },
    secrets: context.use(secretsService),
    contributions: context.use(contributionsService),
  }
  void prepareAdapters({ connections, contributions: targets.contributions, signal: context.signal })
  void warnOfAdapters({ ...targets, groups, log, signal: context.signal, onProtocolReplaced: () => undefined })
  return createInference({
    ...{ ...targets, groups, clock, log, limits, refusedParts, refusedTools },
    reducer: createPictureReducer({ log, quotas: context.use(quotasService) }),
    credentials: credentials.keeper,
    random: Math.random,
    adaptersSettled: createAdaptersSettled(targets.contributions),
    telemetry: telemetry?.exporting === true ? telemetry : undefined,
    breaker: createConnectionBreaker(() => clock.monotonic()),
    gate: createRateGate(() => clock.monotonic()),
    admission: createAdmission({
      ...{ catalogue, connections, countTokens, limits, budgets, costOf },
      quotas: context.use(quotasService),
      maxWaitMs: targets.timeouts.firstTokenMs,
    }),
    onCall(record) {
      measure(record)
      const cost = ledger.add(record)
      if (record.attribution) budgets.spent(record.attribution.userId, record, cost)
    },
    async onLostCalls(records) {
      for (const { record, cost } of await losses.add(records)) {
        measure(record)
        budgets.spent(record.attribution.userId, record, cost)
      }
    },
    onProtocolReplaced: warnOnce(log),
    countTokens,
  })
}

const millisecondsOf = (timeouts: InferenceConfiguration['inference']['timeouts']) => ({
  connectMs: timeouts.connect_secs * 1_000,
  firstTokenMs: timeouts.first_token_secs * 1_000,
  idleMs: timeouts.idle_secs * 1_000,
  totalMs: timeouts.total_secs * 1_000,
})

function routesOf(
  context: Context,
  inference: Inference,
  { catalogue, refresh, connections, groups, credentials }: Models,
  { budgets, settled }: Accounting,
): readonly HttpRoute[] {
  const database = context.use(databaseService)
  const clock = context.use(clockService)
  const contributions = context.use(contributionsService)
  const audit = context.use(auditService)
  const secrets = context.use(secretsService)
  const testing = { catalogue, connections, groups, contributions, secrets, audit, keeper: credentials.keeper }
  const activeProtocols = (): ReadonlyMap<string, readonly string[]> =>
    new Map(contributions.list(providerAdapters).map(({ key, value }) => [key, value.protocols.map(({ id }) => id)]))
  return [
    createModelsRoute(inference, { groups, catalogue, connections }),
    ...credentials.routes,
    ...createConnectionRoutes({ ...testing, managed: credentials.managed, clock }),
    createGroupTestRoute(testing),
    ...createCatalogueRoutes({ catalogue, refresh, activeProtocols, audit }),
    ...createUsageRoutes({ database, clock, budgets, settled }),
    ...createBudgetRoutes({ database, clock, guard: budgets, accounts: context.use(accountsService), audit }),
  ]
}

/** Environment variables through the secrets service. A blank one counts as not set. */
const variablesOf =
  (secrets: Secrets): ReadVariable =>
  (name) => {
    const resolved = secrets.resolve(`\${${name}}`)
    return 'value' in resolved && resolved.value.trim() !== '' ? resolved.value : undefined
  }

/** Warns once that the implicit group uses another protocol than its brand's default. */
function warnOnce(log: Logger): (change: ProtocolChange) => void {
  let hasWarned = false
  return ({ connection, wanted, used }) => {
    if (hasWarned) return
    hasWarned = true
    log.warn(`The model group “primary” speaks ${used}: no installed plugin speaks ${wanted}, the default of “${connection}”.`, {
      connection,
      wanted,
      used,
    })
  }
}
