import type { JsonObject } from '@agent-service/sdk'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import type { DisposableScope } from '@agent-service/sdk/host'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { auditService } from '@agent-service/sdk/services/audit'
import { cacheFilesService } from '@agent-service/sdk/services/cache-files'
import { ephemeralTokensService } from '@agent-service/sdk/services/ephemeral-tokens'
import { eventsService } from '@agent-service/sdk/services/events'
import { externalSignInService } from '@agent-service/sdk/services/external-sign-in'
import { httpClientService } from '@agent-service/sdk/services/http-client'
import { policyService } from '@agent-service/sdk/services/policy'
import { presignedUrlsService } from '@agent-service/sdk/services/presigned-urls'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { resourcesService } from '@agent-service/sdk/services/resources'
import { sealsService } from '@agent-service/sdk/services/seals'
import { sealedFieldsService, secretsService } from '@agent-service/sdk/services/secrets'
import { urlService } from '@agent-service/sdk/services/urls'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import type { DependencyContainer } from 'tsyringe'
import { createPluginAudit } from '../audit/plugin-audit.js'
import { ownEphemeralTokens } from '../auth/index.js'
import { createCacheFiles } from '../cache-files/index.js'
import { type KernelDatabase, openDatabase } from '../database/index.js'
import { createPluginEvents } from '../event-subscriptions/index.js'
import { createPluginUserFiles } from '../files/plugin-user-files.js'
import { openHttpClient } from '../http-client/index.js'
import { redactError } from '../log/index.js'
import {
  createPluginHost,
  type DiscoveredPlugin,
  type KernelServiceFactory,
  type PluginHost,
  type PluginHostOptions,
  slotOfOnlyPlugin,
  slotsOfSections,
  type ValidPlugin,
} from '../plugins/index.js'
import { ownLimits } from '../quotas/index.js'
import { createSeals } from '../secrets/index.js'
import { openSetUp } from '../set-up/index.js'
import type { KernelOptions } from './kernel-options.js'
import * as tokens from './tokens.js'

/** The plugin host with the plugins of the boot phase started, and the store that the driver opened. */
export interface OpenedStore {
  readonly host: PluginHost
  readonly kernelDatabase: KernelDatabase
}

/**
 * The boot phase: what the first start found, the plugins of driver and policy engine, then lock and store. All are registered
 * in the container and undone by the scope.
 */
export async function openStore(
  container: DependencyContainer,
  scope: DisposableScope,
  options: Pick<KernelOptions, 'pluginLimits' | 'onUnownedError'> &
    Pick<PluginHostOptions, 'demandConfiguration'> & { readonly isOff: (id: string) => boolean },
): Promise<OpenedStore> {
  const configuration = container.resolve(tokens.configurationToken)
  const { database: section, cache, plugins } = configuration
  const clock = container.resolve(tokens.clockToken)
  const log = container.resolve(tokens.loggerToken)

  const stateDocuments = container.resolve(tokens.stateDocumentsToken)
  container.register(tokens.setUpToken, { useValue: await openSetUp({ stateDocuments, configuration }) })

  const discovered = container.resolve(tokens.discoveredPluginsToken)
  // A plugin that came with the service heeds no switch here: while nothing decides, no request could turn the switch back.
  const mayDecide = ({ id, builtIn, notGranted, manifest }: ValidPlugin): boolean =>
    manifest.stage !== 'declared' && notGranted === undefined && !plugins.disabled.includes(id) && (builtIn || !options.isOff(id))
  const host = createPluginHost({
    discovered,
    stateDocuments,
    required: plugins.required,
    disabled: plugins.disabled,
    slots: [
      { point: 'database.driver', key: section.driver, setting: 'database.driver' },
      ...slotOfOnlyPlugin(policyEngines.id, discovered, mayDecide),
      ...slotsOfSections(discovered, (manifest) => configuration.configurationOf(manifest)),
    ],
    clock,
    log,
    redactor: container.resolve(tokens.redactorToken),
    contributions: container.resolve(tokens.contributionsToken),
    routes: container.resolve(tokens.routeTableToken),
    scheduler: container.resolve(tokens.schedulerToken),
    configurationOf: (manifest) => configuration.configurationOf(manifest),
    ...(options.demandConfiguration ? { demandConfiguration: options.demandConfiguration } : {}),
    async openDatabase({ id, builtIn }, definitions) {
      const database = await container.resolve(tokens.databaseToken).openFor(id, definitions, { thirdParty: !builtIn })
      await container.resolve(tokens.pluginSealedFieldsToken).declare(id, definitions)
      return database
    },
    kernelServices: new Map<string, KernelServiceFactory>([
      [urlService.id, () => container.resolve(tokens.urlsToken)],
      [resourcesService.id, () => container.resolve(tokens.resourcesToken)],
      [cacheFilesService.id, (pluginId) => createCacheFiles({ folder: configuration.storage.cache_dir, pluginId })],
      [secretsService.id, () => container.resolve(tokens.secretsToken)],
      [
        eventsService.id,
        (pluginId, scope, runAsPlugin) =>
          createPluginEvents(
            {
              publisher: container.resolve(tokens.eventsToken),
              types: container.resolve(tokens.eventTypesToken),
              subscriptions: container.resolve(tokens.eventSubscriptionsToken),
            },
            { pluginId, scope, runAsPlugin },
          ),
      ],
      [
        userFilesService.id,
        (pluginId) =>
          createPluginUserFiles({
            files: container.resolve(tokens.userFilesToken),
            plugins: container.resolve(tokens.discoveredPluginsToken).filter((plugin) => plugin.status === 'valid'),
            pluginId,
          }),
      ],
      [accountsService.id, () => container.resolve(tokens.accountsToken)],
      [policyService.id, () => container.resolve(tokens.policiesToken).service],
      [ephemeralTokensService.id, (_, scope) => ownEphemeralTokens(container.resolve(tokens.ephemeralTokensToken), scope)],
      [presignedUrlsService.id, () => container.resolve(tokens.presignedUrlsToken)],
      [sealsService.id, (pluginId) => createSeals({ cipher: () => container.resolve(tokens.secretCipherToken), pluginId })],
      [sealedFieldsService.id, (pluginId) => container.resolve(tokens.pluginSealedFieldsToken).serviceOf(pluginId)],
      [
        auditService.id,
        (pluginId) =>
          createPluginAudit({
            audit: container.resolve(tokens.auditToken),
            pluginId,
            viewOf: (transaction) => container.resolve(tokens.databaseToken).kernelView(transaction),
          }),
      ],
      [
        quotasService.id,
        (pluginId, scope) => {
          const plugin = container.resolve(tokens.discoveredPluginsToken).find(({ id, status }) => id === pluginId && status === 'valid')
          return ownLimits(container.resolve(tokens.quotasToken), { id: pluginId, builtIn: plugin?.builtIn ?? false }, scope)
        },
      ],
      [
        httpClientService.id,
        (pluginId, scope) => {
          const urls = container.resolve(tokens.urlsToken)
          const plugin = container.resolve(tokens.discoveredPluginsToken).find(({ id, status }) => id === pluginId && status === 'valid')
          if (plugin?.status !== 'valid') return undefined
          const { client, close } = openHttpClient({
            manifest: plugin.manifest,
            configuration: configuration.configurationOf(plugin.manifest),
            clock,
            ownOrigins: () => [urls.api('/'), urls.page('/'), urls.external('/')].map((url) => new URL(url).origin),
          })
          scope.add('http client', close)
          return client
        },
      ],
      [
        externalSignInService.id,
        (pluginId) =>
          container.isRegistered(tokens.externalSignInToken) && maySignPeopleIn(container.resolve(tokens.discoveredPluginsToken), pluginId)
            ? container.resolve(tokens.externalSignInToken)
            : undefined,
      ],
    ]),
    ...(options.pluginLimits ? { limits: options.pluginLimits } : {}),
  })
  container.register(tokens.pluginHostToken, { useValue: host })
  // Before anything of a plugin runs, so that no error of one ends the process.
  const { onUnownedError } = options
  if (onUnownedError !== undefined) {
    const redactor = container.resolve(tokens.redactorToken)
    scope.add(
      'faults',
      host.watchFaults((error, kind) => onUnownedError(redactError(error, redactor), kind)),
    )
  }

  scope.add('plugins of the boot phase', () => host.stopBoot())
  const driver = await host.startBoot()
  const kernelDatabase = await openDatabase({
    driver,
    path: section.path,
    url: section.url,
    settings: (plugins.settings[`database-${section.driver}`] ?? {}) as JsonObject,
    cache: { ttlSeconds: cache.entity_ttl_secs, maximumEntries: cache.entity_max_capacity },
    clock,
    log: log.child({ module: 'database' }),
    signal: scope.signal,
    meanwhile: () => void host.loadAhead(),
  })
  scope.add('database', () => kernelDatabase.close())
  container.register(tokens.databaseToken, { useValue: kernelDatabase })
  return { host, kernelDatabase }
}

/** Built-in, and it says in its manifest that it signs people in. */
const maySignPeopleIn = (discovered: readonly DiscoveredPlugin[], pluginId: string): boolean =>
  discovered.some(
    (plugin) =>
      plugin.id === pluginId &&
      plugin.builtIn &&
      plugin.status === 'valid' &&
      plugin.manifest.requires?.includes(externalSignInService.id) === true,
  )
