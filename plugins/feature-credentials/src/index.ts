import { randomUUID } from 'node:crypto'
import { definePlugin, type Plugin, type PluginContext, servicePerPlugin } from '@agent-service/sdk'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { auditService } from '@agent-service/sdk/services/audit'
import { clockService } from '@agent-service/sdk/services/clock'
import { credentialsService } from '@agent-service/sdk/services/credentials'
import { databaseService } from '@agent-service/sdk/services/database'
import { httpClientService } from '@agent-service/sdk/services/http-client'
import { sealedFieldsService, secretsService } from '@agent-service/sdk/services/secrets'
import { urlService } from '@agent-service/sdk/services/urls'
import { createCredentialUserData } from './credential-user-data.js'
import { type CredentialsParts, createCredentialsOf, deleteAndRevoke } from './credentials-of-plugin.js'
import { createRenewals } from './renewal/renew-tokens.js'
import { createGuardedFetch } from './server/guarded-fetch.js'
import { createPostForm } from './server/post-form.js'
import { callbackPath, createCallbackRoute } from './sign-in/callback-route.js'
import { createSignIns } from './sign-in/sign-ins.js'
import { createCredentialStore } from './store/credential-store.js'
import { credentialEntries, ownerOf, type StoredCredential } from './store/stored-credential.js'

/** Secrets and tokens per user and deployment: provides the service `credentials`. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-credentials',
    apiVersion: 1,
    description: 'Secrets and OAuth tokens for plugins, per user and deployment.',
    contributes: ['http.route', 'user.data'],
    provides: ['credentials'],
    routes: ['/api/credentials'],
    storage: { subsystems: ['vault', 'tokens'] },
    permissions: [
      { kind: 'secrets', reason: 'Stores the secrets of other plugins encrypted, and opens them only for those plugins.' },
      {
        kind: 'network',
        targets: ['*'],
        reason: 'Signs people in at the authorization servers that plugins name, and renews their tokens.',
      },
    ],
  },
  collections: [credentialEntries],
  setup(context) {
    const parts = openParts(context)
    const database = context.use(databaseService)
    context.onDispose(() => parts.signIns.close())
    context.provide(
      credentialsService,
      servicePerPlugin(({ pluginId }) => createCredentialsOf(pluginId, parts)),
    )
    context.contribute(httpRoutes, createCallbackRoute(parts.signIns))
    context.contribute(
      userData,
      createCredentialUserData({
        database,
        endSignIns: (userId) => parts.signIns.cancelOf(userId),
        erase: (record, signal) => eraseRecord(record, signal, parts),
      }),
    )
  },
})
export default plugin

function openParts(context: PluginContext): CredentialsParts {
  const { log, signal } = context
  const clock = context.use(clockService)
  const urls = context.use(urlService)
  const store = createCredentialStore({
    database: context.use(databaseService),
    sealedFields: context.use(sealedFieldsService),
    secrets: context.use(secretsService),
    audit: context.use(auditService),
    clock,
  })
  const postForm = createPostForm({ user: createGuardedFetch(context.use(httpClientService)) })
  return {
    ...{ store, postForm, clock, log, signal },
    renewals: createRenewals({ store, postForm, clock, log, signal, holder: randomUUID() }),
    signIns: createSignIns({ store, postForm, clock, log, callbackUrl: () => urls.api(callbackPath) }),
  }
}

async function eraseRecord(record: StoredCredential, signal: AbortSignal, parts: CredentialsParts): Promise<void> {
  const { plugin_id: pluginId } = record
  const reference = { pluginId, owner: ownerOf(record), id: record.id.slice(pluginId.length + 1) }
  await deleteAndRevoke(reference, AbortSignal.any([signal, parts.signal]), parts)
}
