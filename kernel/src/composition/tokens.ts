import type { Logger } from '@agent-service/sdk'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { EphemeralTokens } from '@agent-service/sdk/services/ephemeral-tokens'
import type { ExternalSignIn } from '@agent-service/sdk/services/external-sign-in'
import type { PresignedUrls } from '@agent-service/sdk/services/presigned-urls'
import type { Resources } from '@agent-service/sdk/services/resources'
import type { Secrets } from '@agent-service/sdk/services/secrets'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import type { InjectionToken } from 'tsyringe'
import type { AuditLog } from '../audit/audit-log.js'
import type { Configuration } from '../config/index.js'
import type { KernelDatabase } from '../database/open/kernel-database.js'
import type { EventSubscriptions } from '../event-subscriptions/index.js'
import type { EventStreams } from '../events/event-streams.js'
import type { EventPublisher, EventTypes } from '../events/index.js'
import type { Authenticator } from '../http/authenticator.js'
import type { HttpServer } from '../http/http-server.js'
import type { IdempotencyStore } from '../http/idempotency/idempotency-store.js'
import type { DispatchTable } from '../http/routing/dispatch-table.js'
import type { ProcessLeases } from '../leases/index.js'
import type { Redactor } from '../log/redactor.js'
import type { ContributionRegistry } from '../plugins/contributions/contribution-registry.js'
import type { DiscoveredPlugin } from '../plugins/discover/discovered-plugin.js'
import type { PluginHost } from '../plugins/run/plugin-host.js'
import type { Policies } from '../policy/open-policies.js'
import type { QuotaRegistry } from '../quotas/index.js'
import type { Scheduler } from '../scheduler/index.js'
import type { PluginSealedFields } from '../secrets/plugin-sealed-fields.js'
import type { SecretCipher } from '../secrets/secret-cipher.js'
import type { SetUp } from '../set-up/index.js'
import type { StateDocuments } from '../state-documents/state-documents.js'
import type { UrlService } from '../urls/url-service.js'

const token = <T>(name: string): InjectionToken<T> => Symbol(name)

/** The version of the running service, from the kernel's package.json. */
export const versionToken = token<string>('version')
export const clockToken = token<Clock>('clock')
export const loggerToken = token<Logger>('logger')
export const redactorToken = token<Redactor>('redactor')
export const configurationToken = token<Configuration>('configuration')
/** The environment variables of the process, read once at the start. */
export const environmentToken = token<Readonly<Record<string, string | undefined>>>('environment')
/** The kernel's own scope: what is opened for the whole life of the process. */
export const scopeToken = token<DisposableScope>('scope')
export const stateDocumentsToken = token<StateDocuments>('state-documents')
export const setUpToken = token<SetUp>('set-up')
export const databaseToken = token<KernelDatabase>('database')
export const secretsToken = token<Secrets>('secrets')
export const secretCipherToken = token<SecretCipher>('secret-cipher')
/** Where plugins keep sealed texts. */
export const pluginSealedFieldsToken = token<PluginSealedFields>('plugin-sealed-fields')
export const urlsToken = token<UrlService>('urls')
export const resourcesToken = token<Resources>('resources')
/** The files of users, as plugins see them. */
export const userFilesToken = token<UserFiles>('user-files')
export const eventsToken = token<EventPublisher>('events')
export const eventTypesToken = token<EventTypes>('event-types')
/** Registered once the database is open. */
export const eventSubscriptionsToken = token<EventSubscriptions>('event-subscriptions')
export const eventStreamsToken = token<EventStreams>('event-streams')
export const accountsToken = token<Accounts>('accounts')
export const ephemeralTokensToken = token<EphemeralTokens>('ephemeral-tokens')
export const presignedUrlsToken = token<PresignedUrls>('presigned-urls')
/** Registered while single sign-on is on. */
export const externalSignInToken = token<ExternalSignIn>('external-sign-in')
/** Decisions by policy: for plugins, for the HTTP layer, and for those who manage policies. */
export const policiesToken = token<Policies>('policies')
export const auditToken = token<AuditLog>('audit')
export const authenticatorToken = token<Authenticator>('authenticator')
export const routeTableToken = token<DispatchTable>('route-table')
export const httpServerToken = token<HttpServer>('http-server')
export const contributionsToken = token<ContributionRegistry>('contributions')
export const idempotencyToken = token<IdempotencyStore>('idempotency')
export const schedulerToken = token<Scheduler>('scheduler')
/** Registered once the database is open. */
/** Fair shares between users. */
export const quotasToken = token<QuotaRegistry>('quotas')
export const leasesToken = token<ProcessLeases>('leases')
export const discoveredPluginsToken = token<readonly DiscoveredPlugin[]>('discovered-plugins')
export const pluginHostToken = token<PluginHost>('plugin-host')
