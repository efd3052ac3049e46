import type { DisposableScope } from '@agent-service/sdk/host'
import { type DependencyContainer, instanceCachingFactory, Lifecycle, container as rootContainer } from 'tsyringe'
import { noteOperationIn } from '../audit/note-operation.js'
import { createSystemClock } from '../clock/index.js'
import { encryptionVariables } from '../config/index.js'
import { createEventTypes } from '../events/index.js'
import { limitMetrics } from '../http/pages/limit-metrics.js'
import { createDispatchTable } from '../http/routing/dispatch-table.js'
import { createContributionRegistry } from '../plugins/index.js'
import { createQuotas } from '../quotas/index.js'
import { createResources } from '../resources/index.js'
import { createScheduler } from '../scheduler/index.js'
import { createSecrets } from '../secrets/index.js'
import { createStateDocuments } from '../state-documents/index.js'
import { createUrlService } from '../urls/url-service.js'
import { httpCollaboratorsToken, KernelHttpServer } from './kernel-http-server.js'
import type { KernelOptions } from './kernel-options.js'
import type { Prepared } from './prepare.js'
import * as tokens from './tokens.js'

/**
 * Fills the container of one kernel. Every token is registered here and nowhere else: finished values as they are, everything else as a singleton of
 * this container, made when it is first asked for. What opens asynchronously is registered by {@link startKernel} the moment it is open.
 */
export function composeKernel(options: KernelOptions, prepared: Prepared, scope: DisposableScope): DependencyContainer {
  const { configuration, examination, discovered, log, redactor } = prepared
  const container = rootContainer.createChildContainer()

  container.register(tokens.versionToken, { useValue: options.version })
  container.register(tokens.environmentToken, { useValue: options.environment })
  container.register(tokens.configurationToken, { useValue: configuration })
  container.register(tokens.discoveredPluginsToken, { useValue: discovered })
  container.register(tokens.loggerToken, { useValue: log.logger })
  container.register(tokens.redactorToken, { useValue: redactor })
  container.register(tokens.scopeToken, { useValue: scope })
  container.register(tokens.clockToken, { useFactory: instanceCachingFactory(() => options.clock ?? createSystemClock()) })

  container.register(tokens.eventTypesToken, {
    useFactory: instanceCachingFactory((from) =>
      createEventTypes(from.resolve(tokens.discoveredPluginsToken).filter((plugin) => plugin.status === 'valid')),
    ),
  })
  container.register(tokens.urlsToken, {
    useFactory: instanceCachingFactory((from) => createUrlService(from.resolve(tokens.configurationToken).server)),
  })
  container.register(tokens.stateDocumentsToken, {
    useFactory: instanceCachingFactory((from) =>
      createStateDocuments({ folder: systemFolder(from.resolve(tokens.configurationToken).storage.data_dir) }),
    ),
  })
  container.register(tokens.resourcesToken, {
    useFactory: instanceCachingFactory((from) =>
      createResources({ folder: from.resolve(tokens.configurationToken).storage.shared_config_dir }),
    ),
  })
  container.register(tokens.secretsToken, {
    useFactory: instanceCachingFactory((from) =>
      createSecrets({
        environment: from.resolve(tokens.environmentToken),
        redactor: from.resolve(tokens.redactorToken),
        isReserved: encryptionVariables(examination.file.value),
      }),
    ),
  })
  container.register(tokens.quotasToken, {
    useFactory: instanceCachingFactory((from) =>
      createQuotas({ clock: from.resolve(tokens.clockToken), log: from.resolve(tokens.loggerToken).child({ module: 'quotas' }) }),
    ),
  })
  container.register(tokens.schedulerToken, {
    useFactory: instanceCachingFactory((from) =>
      createScheduler({
        clock: from.resolve(tokens.clockToken),
        log: from.resolve(tokens.loggerToken).child({ module: 'scheduler' }),
        pollSeconds: from.resolve(tokens.configurationToken).scheduler.poll_secs,
        timezone: from.resolve(tokens.configurationToken).timeZone,
        leases: () => from.resolve(tokens.leasesToken),
      }),
    ),
  })
  container.register(tokens.contributionsToken, {
    useFactory: instanceCachingFactory((from) =>
      createContributionRegistry({ clock: from.resolve(tokens.clockToken), log: from.resolve(tokens.loggerToken) }),
    ),
  })
  container.register(tokens.routeTableToken, {
    useFactory: instanceCachingFactory((from) => {
      const { server } = from.resolve(tokens.configurationToken)
      const { base_url, backend_url, frontend_url, external_url, issuer_url } = server
      return createDispatchTable({ ownUrls: [base_url, backend_url, frontend_url, external_url, issuer_url] })
    }),
  })
  container.register(httpCollaboratorsToken, {
    useFactory: instanceCachingFactory((from) => ({
      authenticator: () => (from.isRegistered(tokens.authenticatorToken) ? from.resolve(tokens.authenticatorToken) : undefined),
      routeAccess: () => (from.isRegistered(tokens.policiesToken) ? from.resolve(tokens.policiesToken).routeAccess : undefined),
      idempotency: () => (from.isRegistered(tokens.idempotencyToken) ? from.resolve(tokens.idempotencyToken) : undefined),
      noteOperation: noteOperationIn(() => from.resolve(tokens.auditToken)),
      metricSources: () => [
        ...limitMetrics(from.resolve(tokens.quotasToken)),
        ...(from.isRegistered(tokens.eventSubscriptionsToken) ? from.resolve(tokens.eventSubscriptionsToken).metrics : []),
      ],
      ...(options.httpLimits ? { limits: options.httpLimits } : {}),
      ...(options.portBefore === undefined ? {} : { portBefore: options.portBefore }),
      ...(options.answerCheck ? { answerCheck: options.answerCheck } : {}),
    })),
  })
  container.register(tokens.httpServerToken, { useClass: KernelHttpServer }, { lifecycle: Lifecycle.Singleton })

  options.override?.(container)
  return container
}

const systemFolder = (dataFolder: string): string => `${dataFolder}/system`
