import type { Logger, PluginContext } from '@agent-service/sdk'
import { type Accounts, accountsService } from '@agent-service/sdk/services/accounts'
import { type Audit, auditService } from '@agent-service/sdk/services/audit'
import { type Clock, clockService } from '@agent-service/sdk/services/clock'
import { type Contributions, contributionsService } from '@agent-service/sdk/services/contributions'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import { type Documents, documentsService } from '@agent-service/sdk/services/documents'
import { type Events, eventsService } from '@agent-service/sdk/services/events'
import { type Inference, inferenceService } from '@agent-service/sdk/services/inference'
import { type Metrics, metricsService } from '@agent-service/sdk/services/metrics'
import { type PolicyService, policyService } from '@agent-service/sdk/services/policy'
import { type Quotas, quotasService } from '@agent-service/sdk/services/quotas'
import { type Resources, resourcesService } from '@agent-service/sdk/services/resources'
import { type Restarts, restartsService } from '@agent-service/sdk/services/restarts'
import { type Telemetry, telemetryService } from '@agent-service/sdk/services/telemetry'
import { type UserFiles, userFilesService } from '@agent-service/sdk/services/user-files'
import { createForeignSchemas, type ForeignSchemas } from '../foreign-schemas/foreign-schemas.js'

/** The services that the parts of this plugin use. */
export interface UsedServices {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly resources: Resources
  readonly contributions: Contributions
  readonly inference: Inference
  readonly accounts: Accounts
  readonly audit: Audit
  readonly policies: PolicyService
  readonly quotas: Quotas
  readonly metrics: Metrics
  readonly restarts: Restarts
  /** Present if spans are exported. */
  readonly telemetry: Telemetry | undefined
  /** Present if documents can be read. */
  readonly documents: Documents | undefined
  /** The files of users. */
  readonly files: UserFiles
  readonly log: Logger
  readonly foreignSchemas: ForeignSchemas
}

export function useServices(context: PluginContext): UsedServices {
  const telemetry = context.use(telemetryService, { optional: true })
  return {
    database: context.use(databaseService),
    events: context.use(eventsService),
    clock: context.use(clockService),
    resources: context.use(resourcesService),
    contributions: context.use(contributionsService),
    inference: context.use(inferenceService),
    accounts: context.use(accountsService),
    audit: context.use(auditService),
    policies: context.use(policyService),
    quotas: context.use(quotasService),
    metrics: context.use(metricsService),
    restarts: context.use(restartsService),
    telemetry: telemetry?.exporting === true ? telemetry : undefined,
    documents: context.use(documentsService, { optional: true }),
    files: context.use(userFilesService),
    log: context.log,
    foreignSchemas: createForeignSchemas({ quotas: context.use(quotasService) }),
  }
}
