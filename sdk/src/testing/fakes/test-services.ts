import { accountsService } from '../../services/accounts.js'
import { agentsService } from '../../services/agents.js'
import { auditService } from '../../services/audit.js'
import { cacheFilesService } from '../../services/cache-files.js'
import { chatsService } from '../../services/chats.js'
import { clockService } from '../../services/clock.js'
import { contributionsService } from '../../services/contributions.js'
import { type Credentials, credentialsService } from '../../services/credentials.js'
import type { CollectionDefinition } from '../../services/database.js'
import { databaseService } from '../../services/database.js'
import { deploymentService } from '../../services/deployment.js'
import { eventsService } from '../../services/events.js'
import { httpClientService } from '../../services/http-client.js'
import { inferenceService } from '../../services/inference.js'
import { mailService } from '../../services/mail.js'
import { metricsService } from '../../services/metrics.js'
import { notificationsService } from '../../services/notifications.js'
import { policyService } from '../../services/policy.js'
import { presignedUrlsService } from '../../services/presigned-urls.js'
import { quotasService } from '../../services/quotas.js'
import { resourcesService } from '../../services/resources.js'
import { restartsService } from '../../services/restarts.js'
import { runsService } from '../../services/runs.js'
import { sealsService } from '../../services/seals.js'
import { redactionService, sealedFieldsService, secretsService } from '../../services/secrets.js'
import { slotsService } from '../../services/slots.js'
import { telemetryService } from '../../services/telemetry.js'
import { urlService } from '../../services/urls.js'
import { userFilesService } from '../../services/user-files.js'
import { createMemoryDatabase, type MemoryDatabase } from '../memory-database/index.js'
import { createFakeAgents, type FakeAgents } from './fake-agents.js'
import { createFakeChats, type FakeChats } from './fake-chats.js'
import { createFakeContributions, type FakeContributions } from './fake-contributions.js'
import { createFakeCredentials } from './fake-credentials.js'
import { createFakeHttpClient, type FakeHttpClient } from './fake-http-client.js'
import { createFakeInference, type FakeInference } from './fake-inference.js'
import { createFakeMetrics, type FakeMetrics } from './fake-metrics.js'
import { createFakeMail, createFakeNotifications, type FakeMail, type FakeNotifications } from './fake-notifications.js'
import { createFakeQuotas, type FakeQuotas } from './fake-quotas.js'
import { createFakeRestarts } from './fake-restarts.js'
import { createFakeRuns, type FakeRuns } from './fake-runs.js'
import {
  createFakeAccounts,
  createFakeAudit,
  createFakeCacheFiles,
  createFakeEvents,
  createFakePolicies,
  createFakePresignedUrls,
  createFakeRedaction,
  createFakeResources,
  createFakeSealedFields,
  createFakeSeals,
  createFakeSecrets,
  createFakeSlots,
  createFakeUrls,
  type FakeAccounts,
  type FakeAudit,
  type FakeEvents,
  type FakePolicies,
  type FakeSecrets,
} from './fake-services.js'
import { createFakeTelemetry, type FakeTelemetry } from './fake-telemetry.js'
import { createFakeUserFiles, type FakeUserFiles } from './fake-user-files.js'
import { createTestClock, type TestClock } from './test-clock.js'

/** The default services of a plugin under test. */
export interface TestServices {
  /** Stands still until it is moved. */
  readonly clock: TestClock
  /** The plugin's collections, in memory. */
  readonly database: MemoryDatabase
  /** Records events. */
  readonly events: FakeEvents
  /** Has `testAccount` and added users. */
  readonly accounts: FakeAccounts
  /** Allows everything unless the test decides otherwise. */
  readonly policies: FakePolicies
  /** Resolves the test's variables. */
  readonly secrets: FakeSecrets
  /** Records what is noted. */
  readonly audit: FakeAudit
  /** Files in memory. */
  readonly userFiles: FakeUserFiles
  /** Contributions of other plugins, set by the test. */
  readonly contributions: FakeContributions
  /** A model that the test controls; for plugins that list `inference`. */
  readonly inference: FakeInference
  /** Requests to external addresses; the test answers them. */
  readonly httpClient: FakeHttpClient
  /** Records what is measured. */
  readonly metrics: FakeMetrics
  /** Quotas, all of them free. */
  readonly quotas: FakeQuotas
  /** Runs that have ended at once; for plugins that list `runs`. */
  readonly runs: FakeRuns
  /** Agents that the test controls; for plugins that list `agents`. */
  readonly agents: FakeAgents
  /** Chats that the test adds; for plugins that list `chats`. */
  readonly chats: FakeChats
  /** Credentials in memory; for plugins that list `credentials`. */
  readonly credentials: Credentials
  /** Records notifications; for plugins that list `notifications`. */
  readonly notifications: FakeNotifications
  /** Records e-mails; for plugins that list `mail`. */
  readonly mail: FakeMail
  /** Records spans; for plugins that list `telemetry`. */
  readonly telemetry: FakeTelemetry
}

/** Makes the services of one test. */
export function createTestServices(collections: readonly CollectionDefinition[]): TestServices {
  const clock = createTestClock()
  return {
    clock,
    database: createMemoryDatabase(collections),
    events: createFakeEvents(),
    accounts: createFakeAccounts(),
    policies: createFakePolicies(),
    secrets: createFakeSecrets(),
    audit: createFakeAudit(),
    userFiles: createFakeUserFiles(),
    contributions: createFakeContributions(),
    inference: createFakeInference(),
    httpClient: createFakeHttpClient(),
    metrics: createFakeMetrics(),
    quotas: createFakeQuotas(),
    runs: createFakeRuns(),
    agents: createFakeAgents(),
    chats: createFakeChats(),
    credentials: createFakeCredentials(() => clock.now()),
    notifications: createFakeNotifications(),
    mail: createFakeMail(),
    telemetry: createFakeTelemetry(),
  }
}

/** The same by the ids of their references, with further services. */
export function servicesById(services: TestServices): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    [clockService.id, services.clock],
    [slotsService.id, createFakeSlots()],
    [restartsService.id, createFakeRestarts()],
    [databaseService.id, services.database],
    [
      deploymentService.id,
      {
        ...{ timezone: 'UTC', maxConcurrentTasks: 10, pollMs: 60_000 },
        skillFolders: { bundled: '/nowhere/resources/skills', shared: '/nowhere/skills' },
        ontologyFolder: '/nowhere/ontology',
      },
    ],
    [eventsService.id, services.events],
    [accountsService.id, services.accounts],
    [policyService.id, services.policies],
    [secretsService.id, services.secrets],
    [redactionService.id, createFakeRedaction(services.secrets)],
    [auditService.id, services.audit],
    [userFilesService.id, services.userFiles],
    [contributionsService.id, services.contributions],
    [inferenceService.id, services.inference],
    [httpClientService.id, services.httpClient],
    [metricsService.id, services.metrics],
    [quotasService.id, services.quotas],
    [runsService.id, services.runs],
    [agentsService.id, services.agents],
    [chatsService.id, services.chats],
    [credentialsService.id, services.credentials],
    [notificationsService.id, services.notifications],
    [mailService.id, services.mail],
    [telemetryService.id, services.telemetry],
    [sealedFieldsService.id, createFakeSealedFields()],
    [sealsService.id, createFakeSeals()],
    [cacheFilesService.id, createFakeCacheFiles()],
    [resourcesService.id, createFakeResources()],
    [urlService.id, createFakeUrls()],
    [presignedUrlsService.id, createFakePresignedUrls(() => services.clock.now())],
  ])
}
