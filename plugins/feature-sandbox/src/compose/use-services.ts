import type { Logger, PluginContext } from '@agent-service/sdk'
import { type Accounts, accountsService } from '@agent-service/sdk/services/accounts'
import { type AgentCredentials, agentCredentialsService } from '@agent-service/sdk/services/agent-credentials'
import { type Agents, agentsService } from '@agent-service/sdk/services/agents'
import { type Audit, auditService } from '@agent-service/sdk/services/audit'
import { type Clock, clockService } from '@agent-service/sdk/services/clock'
import { type Contributions, contributionsService } from '@agent-service/sdk/services/contributions'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import { type EphemeralTokens, ephemeralTokensService } from '@agent-service/sdk/services/ephemeral-tokens'
import { eventsService, type PluginEvents } from '@agent-service/sdk/services/events'
import { type Metrics, metricsService } from '@agent-service/sdk/services/metrics'
import { type PolicyService, policyService } from '@agent-service/sdk/services/policy'
import { type Quotas, quotasService } from '@agent-service/sdk/services/quotas'
import { type Restarts, restartsService } from '@agent-service/sdk/services/restarts'
import { type Skills, skillsService } from '@agent-service/sdk/services/skills'
import { type Urls, urlService } from '@agent-service/sdk/services/urls'
import { type UserFiles, userFilesService } from '@agent-service/sdk/services/user-files'
import type { SandboxSettings } from '../configuration/sandbox-section.js'

/** What this plugin uses of others. */
export interface UsedServices {
  readonly settings: SandboxSettings
  readonly accounts: Accounts
  readonly agents: Agents | undefined
  readonly audit: Audit
  readonly clock: Clock
  readonly credentials: AgentCredentials | undefined
  readonly contributions: Contributions
  readonly database: Database
  readonly events: PluginEvents
  readonly metrics: Metrics
  readonly policies: PolicyService
  readonly quotas: Quotas
  readonly restarts: Restarts
  readonly skills: Skills | undefined
  readonly tokens: EphemeralTokens
  readonly urls: Urls
  readonly files: UserFiles
  readonly log: Logger
  readonly signal: AbortSignal
}

export function useServices(context: PluginContext): UsedServices {
  return {
    settings: (context.config as { readonly sandbox: SandboxSettings }).sandbox,
    accounts: context.use(accountsService),
    agents: context.use(agentsService, { optional: true }),
    audit: context.use(auditService),
    clock: context.use(clockService),
    credentials: context.use(agentCredentialsService, { optional: true }),
    contributions: context.use(contributionsService),
    database: context.use(databaseService),
    events: context.use(eventsService),
    metrics: context.use(metricsService),
    policies: context.use(policyService),
    quotas: context.use(quotasService),
    restarts: context.use(restartsService),
    skills: context.use(skillsService, { optional: true }),
    tokens: context.use(ephemeralTokensService),
    urls: context.use(urlService),
    files: context.use(userFilesService),
    log: context.log,
    signal: context.signal,
  }
}
