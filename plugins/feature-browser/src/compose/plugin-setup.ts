import { definePlugin, type Plugin } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { agentCredentialsService } from '@agent-service/sdk/services/agent-credentials'
import { auditService } from '@agent-service/sdk/services/audit'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { eventsService } from '@agent-service/sdk/services/events'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { pageRenderingService } from '@agent-service/sdk/services/page-rendering'
import { policyService } from '@agent-service/sdk/services/policy'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { sealedFieldsService, secretsService } from '@agent-service/sdk/services/secrets'
import { urlService } from '@agent-service/sdk/services/urls'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { browserSection } from '../configuration/browser-section.js'
import { builtInToken } from '../configuration/rules.js'
import { panels } from '../console-panels.js'
import { createBrowserCheck } from '../doctor.js'
import type { GuardOptions } from '../network/page-guard.js'
import { createBrowserUserData, createStoredProfiles, profileCollection } from '../profiles/stored-profiles.js'
import { createAdminRoutes } from '../routes/admin-routes.js'
import { createSessionRoutes, stateOf } from '../routes/session-routes.js'
import { testService } from '../service/test-service.js'
import { createBrowserParts, withoutBrowser } from './browser-parts.js'
import { createEndings } from './endings.js'

/** The plugin. `guard` is for tests alone, whose sites stand on the loopback. */
export const createBrowserPlugin = (options: { readonly guard?: GuardOptions } = {}): Plugin =>
  definePlugin({
    manifest: {
      id: 'feature-browser',
      apiVersion: 1,
      description: 'A headless browser as a tool of agents.',
      contributes: ['console.panel', 'doctor.check', 'http.route', 'tool', 'user.data'],
      provides: ['page-rendering'],
      optional: ['agent-credentials'],
      sections: { browser: browserSection },
      rules: './configuration/rules.js',
      routes: ['/api/browser', '/api/admin/browser'],
      tags: { browser: 'The browser of agents: sessions, pictures of their pages, and what it remembers.' },
      storage: { uses: ['workspaces'] },
      permissions: [
        { kind: 'network', targetsFromConfiguration: ['/browser/ws_url'], reason: 'Drives the configured browser service.' },
        { kind: 'network', targets: ['*'], reason: 'Carries what pages load, to public addresses alone, through a proxy of its own.' },
        {
          kind: 'files',
          targets: ['users/*/workspaces'],
          reason: 'Stores downloads in the workspace of the agent, and hands its files to pages.',
        },
      ],
    },
    collections: [profileCollection],
    async setup(context) {
      for (const panel of panels) context.contribute(consolePanels, panel)
      const settings = context.config.browser
      context.contribute(doctorChecks, createBrowserCheck(settings))
      // `agent-service doctor` examines the browser service without a database.
      const database = context.use(databaseService, { optional: true })
      if (!database) {
        context.contribute(
          userData,
          createBrowserUserData(undefined, async () => undefined),
        )
        context.provide(pageRenderingService, withoutBrowser)
        return
      }
      const clock = context.use(clockService)
      const quotas = context.use(quotasService)
      const audit = context.use(auditService)
      const credentials = context.use(agentCredentialsService)
      // The built-in token is known to everyone, and a word that other lines have.
      if (settings.api_token !== builtInToken) context.use(secretsService).protect(settings.api_token)
      const stored = createStoredProfiles({ database, clock, sealed: context.use(sealedFieldsService) })
      const parts = createBrowserParts({
        ...{ settings, stored, clock, quotas, credentials, log: context.log, signal: context.signal },
        ...{ metrics: context.use(metricsService), policies: context.use(policyService), files: context.use(userFilesService) },
        ...{ urls: context.use(urlService), guardOptions: options.guard ?? {} },
      })
      context.onStopping(() => parts.end())
      context.onDispose(() => parts.close())
      for (const tool of parts.tools) context.contribute(tools, tool)
      context.provide(pageRenderingService, parts.rendering)
      const endings = createEndings({ ...parts, stored })
      context.contribute(
        userData,
        createBrowserUserData(stored, async (userId, signal) => void (await endings.forget(userId, undefined, signal))),
      )
      const state = () => stateOf(settings.ws_url !== undefined, parts.state())
      const { ws_url } = settings
      const test =
        ws_url === undefined
          ? undefined
          : (signal: AbortSignal) =>
              testService({ ...settings, ws_url }, { signal, limitMs: settings.connection_timeout_ms, log: context.log })
      const limit = (name: string, counts: string, maxPerHolder: number) => quotas.limit({ name, counts, maxPerHolder })
      for (const route of [
        ...createSessionRoutes({
          ...{ state, registry: parts.registry, credentials, audit, forget: endings.forget },
          countProfiles: async (userId) => (await stored.list(userId)).length,
          pictures: limit('browser-pictures', 'pictures of pages at a time', 3),
        }),
        ...createAdminRoutes({
          state,
          registry: parts.registry,
          test,
          audit,
          tests: limit('browser-tests', 'tests of the browser at a time', 1),
        }),
      ])
        context.contribute(httpRoutes, route)
      await context.use(eventsService).subscribe(endings.subscription)
    },
  })
