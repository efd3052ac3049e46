import { type Auth, authToken, ownEphemeralTokens } from '@agent-service/kernel-accounts'
import { type AuditLog, auditToken, createPluginAudit } from '@agent-service/kernel-accounts/audit'
import { type Policies, policiesToken } from '@agent-service/kernel-accounts/policy'
import { type Configuration, configurationToken } from '@agent-service/kernel-core/config'
import { databaseToken, type KernelDatabase } from '@agent-service/kernel-core/database/open'
import { type EventPublisher, type EventTypes, eventsToken, eventTypesToken } from '@agent-service/kernel-core/events'
import {
  type DiscoveredPlugin,
  discoveredPluginsToken,
  type KernelServiceFactory,
  type PluginSurroundings,
  type ValidPlugin,
} from '@agent-service/kernel-core/plugins'
import { clockToken, loggerToken } from '@agent-service/kernel-core/process'
import type { QuotaRegistry } from '@agent-service/kernel-core/quotas'
import { type Scheduler, schedulerToken } from '@agent-service/kernel-core/scheduler'
import { type SecretCipher, secretCipherToken } from '@agent-service/kernel-core/secrets'
import { createCacheFiles } from '@agent-service/kernel-services/cache-files'
import { createPluginEvents, type EventSubscriptions, eventSubscriptionsToken } from '@agent-service/kernel-services/event-subscriptions'
import { openHttpClient } from '@agent-service/kernel-services/http-client'
import { type MetricRegistry, metricsToken, ownMetrics } from '@agent-service/kernel-services/metrics'
import { type WebInterfaces, webInterfacesToken } from '@agent-service/kernel-services/pages'
import {
  type PluginData,
  type PluginDataDeletions,
  type PluginSuccessions,
  pluginDataDeletionsToken,
  pluginDataToken,
  pluginSuccessionsToken,
  type Successor,
} from '@agent-service/kernel-services/plugin-data'
import { ownLimits, quotasToken } from '@agent-service/kernel-services/quotas'
import { createSeals, type PluginSealedFields, pluginSealedFieldsToken } from '@agent-service/kernel-services/secrets'
import { type UrlService, urlsToken } from '@agent-service/kernel-services/urls'
import { type Restarts, restartsToken } from '@agent-service/kernel-settings/restart'
import type { Logger } from '@agent-service/sdk'
import { createPluginUserFiles, type DisposableScope } from '@agent-service/sdk/host'
import { type Accounts, accountsService } from '@agent-service/sdk/services/accounts'
import { auditService } from '@agent-service/sdk/services/audit'
import { type Backups, backupsService } from '@agent-service/sdk/services/backups'
import { cacheFilesService } from '@agent-service/sdk/services/cache-files'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import { deploymentService } from '@agent-service/sdk/services/deployment'
import { emailConfirmationService } from '@agent-service/sdk/services/email-confirmation'
import { ephemeralTokensService } from '@agent-service/sdk/services/ephemeral-tokens'
import { eventsService } from '@agent-service/sdk/services/events'
import { externalSignInService } from '@agent-service/sdk/services/external-sign-in'
import { httpClientService } from '@agent-service/sdk/services/http-client'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { policyService } from '@agent-service/sdk/services/policy'
import { type PresignedUrls, presignedUrlsService } from '@agent-service/sdk/services/presigned-urls'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { type Resources, resourcesService } from '@agent-service/sdk/services/resources'
import { restartsService } from '@agent-service/sdk/services/restarts'
import { sealsService } from '@agent-service/sdk/services/seals'
import { type Redaction, redactionService, type Secrets, sealedFieldsService, secretsService } from '@agent-service/sdk/services/secrets'
import { urlService } from '@agent-service/sdk/services/urls'
import { type UserFiles, userFilesService } from '@agent-service/sdk/services/user-files'
import { webPagesService } from '@agent-service/sdk/services/web-pages'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import { deploymentOf } from './deployment.js'
import {
  accountsToken,
  backupsToken,
  presignedUrlsToken,
  redactionToken,
  resourcesToken,
  secretsToken,
  userFilesToken,
} from './service-tokens.js'

export const pluginServicesToken: InjectionToken<PluginServices> = Symbol('plugin-services')

/**
 * What the kernel offers to plugins after its own services are open: their collections, their jobs,
 * and services by id.
 */
@injectable()
export class PluginServices implements PluginSurroundings {
  readonly kernelServices: ReadonlyMap<string, KernelServiceFactory>
  readonly #valid: readonly ValidPlugin[]

  constructor(
    @inject(discoveredPluginsToken) discovered: readonly DiscoveredPlugin[],
    @inject(configurationToken) private readonly configuration: Configuration,
    @inject(clockToken) private readonly clock: Clock,
    @inject(urlsToken) private readonly urls: UrlService,
    @inject(resourcesToken) resources: Resources,
    @inject(secretsToken) secrets: Secrets,
    @inject(redactionToken) redaction: Redaction,
    @inject(secretCipherToken) cipher: SecretCipher,
    @inject(pluginSealedFieldsToken) private readonly sealedFields: PluginSealedFields,
    @inject(pluginDataToken) private readonly pluginData: PluginData,
    @inject(pluginDataDeletionsToken) private readonly deletions: PluginDataDeletions,
    @inject(pluginSuccessionsToken) private readonly successions: PluginSuccessions,
    @inject(databaseToken) private readonly database: KernelDatabase,
    @inject(schedulerToken) readonly scheduler: Scheduler,
    @inject(eventsToken) publisher: EventPublisher,
    @inject(eventTypesToken) types: EventTypes,
    @inject(eventSubscriptionsToken) subscriptions: EventSubscriptions,
    @inject(quotasToken) quotas: QuotaRegistry,
    @inject(metricsToken) metrics: MetricRegistry,
    @inject(loggerToken) log: Logger,
    @inject(auditToken) audit: AuditLog,
    @inject(userFilesToken) files: UserFiles,
    @inject(accountsToken) accounts: Accounts,
    @inject(authToken) private readonly auth: Pick<Auth, 'externalSignIn' | 'ephemeralTokens' | 'emailConfirmation'>,
    @inject(policiesToken) policies: Policies,
    @inject(presignedUrlsToken) presignedUrls: PresignedUrls,
    @inject(webInterfacesToken) webInterfaces: WebInterfaces,
    @inject(backupsToken) backups: Backups,
    @inject(restartsToken) restarts: Restarts,
  ) {
    this.#valid = discovered.filter((plugin) => plugin.status === 'valid')
    this.kernelServices = new Map<string, KernelServiceFactory>([
      [urlService.id, () => urls],
      [resourcesService.id, () => resources],
      [secretsService.id, () => secrets],
      [redactionService.id, () => redaction],
      [accountsService.id, () => accounts],
      [restartsService.id, (_, scope) => restarts.ofPlugin(scope)],
      [deploymentService.id, () => deploymentOf(configuration)],
      [policyService.id, () => policies.service],
      [presignedUrlsService.id, () => presignedUrls],
      [cacheFilesService.id, (pluginId) => createCacheFiles({ folder: configuration.storage.cache_dir, pluginId })],
      [userFilesService.id, (pluginId) => createPluginUserFiles({ files, plugins: this.#valid, pluginId })],
      [sealsService.id, (pluginId) => createSeals({ cipher, pluginId, earlierIds: this.#declarations(pluginId).renamedFrom })],
      [sealedFieldsService.id, (pluginId) => sealedFields.serviceOf(pluginId)],
      [auditService.id, (pluginId) => createPluginAudit({ audit, pluginId, viewOf: (transaction) => database.kernelView(transaction) })],
      [ephemeralTokensService.id, (_, scope) => ownEphemeralTokens(auth.ephemeralTokens, scope)],
      [quotasService.id, (pluginId, scope) => ownLimits(quotas, { id: pluginId, builtIn: this.#isBuiltIn(pluginId) }, scope)],
      [metricsService.id, (pluginId, scope) => ownMetrics(metrics, { id: pluginId, builtIn: this.#isBuiltIn(pluginId) }, { scope, log })],
      [
        eventsService.id,
        (pluginId, scope, runAsPlugin) => createPluginEvents({ publisher, types, subscriptions }, { pluginId, scope, runAsPlugin }),
      ],
      [httpClientService.id, (pluginId, scope) => this.#httpClient(pluginId, scope)],
      [emailConfirmationService.id, (pluginId) => (this.#isBuiltIn(pluginId) ? auth.emailConfirmation : undefined)],
      [externalSignInService.id, (pluginId) => this.#externalSignIn(pluginId)],
      [backupsService.id, (pluginId) => (this.#isBuiltIn(pluginId) ? backups : undefined)],
      [webPagesService.id, (pluginId, scope) => (this.#isBuiltIn(pluginId) ? webInterfaces.serviceOf(pluginId, scope) : undefined)],
    ])
  }

  async openDatabase(
    { id, builtIn }: { readonly id: string; readonly builtIn: boolean },
    definitions: readonly CollectionDefinition[],
  ): Promise<Database> {
    await this.deletions.finish(id)
    const holder = { id, builtIn, ...this.#declarations(id) }
    await this.successions.takeOver(holder)
    const database = await this.database.openFor(id, definitions, { thirdParty: !builtIn })
    // Not before: what belongs to another plugin is refused, and is no data of this one.
    await this.pluginData.declare(holder, definitions)
    await this.sealedFields.declare(id, definitions)
    return database
  }

  #find(pluginId: string): ValidPlugin | undefined {
    return this.#valid.find(({ id }) => id === pluginId)
  }

  #declarations(pluginId: string): Pick<Successor, 'version' | 'subsystems' | 'renamedFrom'> {
    const plugin = this.#find(pluginId)
    return {
      version: plugin?.version ?? 'unknown',
      subsystems: plugin?.manifest.storage?.subsystems ?? [],
      renamedFrom: plugin?.manifest.renamedFrom ?? [],
    }
  }

  #isBuiltIn(pluginId: string): boolean {
    return this.#find(pluginId)?.builtIn ?? false
  }

  #httpClient(pluginId: string, scope: DisposableScope): unknown {
    const { urls, clock } = this
    const manifest = this.#find(pluginId)?.manifest
    if (manifest === undefined) return undefined
    const { client, close } = openHttpClient({
      ...{ manifest, configuration: this.configuration.configurationOf(manifest), clock },
      ownOrigins: () => [urls.api('/'), urls.page('/'), urls.external('/')].map((url) => new URL(url).origin),
    })
    scope.add('http client', close)
    return client
  }

  /** For a built-in plugin whose manifest requires the service, while single sign-on is on. */
  #externalSignIn(pluginId: string): unknown {
    const plugin = this.#find(pluginId)
    const signsPeopleIn = plugin?.builtIn === true && plugin.manifest.requires?.includes(externalSignInService.id) === true
    return signsPeopleIn ? this.auth.externalSignIn : undefined
  }
}
