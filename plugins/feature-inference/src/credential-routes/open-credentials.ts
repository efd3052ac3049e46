import type { Logger } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import type { SealedFields, Secrets } from '@agent-service/sdk/services/secrets'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { GroupRegistry } from '../calls/group-registry.js'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { Connections } from '../connections/connections.js'
import { createAccountRefresh } from '../credentials/account-refresh.js'
import { createCredentialAudit } from '../credentials/credential-audit.js'
import { type CredentialKeeper, createCredentialKeeper, problemWith } from '../credentials/credential-keeper.js'
import { createCredentialStore } from '../credentials/credential-store.js'
import { createSignIns } from '../credentials/sign-ins.js'
import { type AskServer, askServer } from '../credentials/token-endpoint.js'
import { createCredentialRoutes } from './credential-routes.js'
import { callbackPath, createSignInRoutes } from './sign-in-routes.js'
import { createTestCredential } from './test-credential.js'

/** What managed credentials are made of. */
export interface CredentialDependencies {
  readonly database: Database
  readonly sealedFields: SealedFields
  readonly secrets: Secrets
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Logger
  readonly urls: Pick<Urls, 'api'>
  readonly catalogue: Catalogue
  readonly connections: Connections
  readonly groups: GroupRegistry
  readonly contributions: Contributions
  /** Ends everything that is under way. */
  readonly signal: AbortSignal
  /** Asks authorization servers. Default: over the network. */
  readonly ask?: AskServer
}

/** Managed credentials: for calls, and for administrators. */
export interface Credentials {
  readonly keeper: CredentialKeeper
  readonly routes: readonly HttpRoute[]
  /** Says in the log which connections name a credential that they cannot use. */
  warn(): Promise<void>
  /** Ends the sign-ins that are under way. */
  close(): Promise<void>
}

/** Makes them. Nothing is read before it is needed. */
export function openCredentials(dependencies: CredentialDependencies): Credentials {
  const { database, sealedFields, secrets, clock, log, urls, catalogue, connections, groups, contributions, signal } = dependencies
  const ask = dependencies.ask ?? askServer
  const audit = createCredentialAudit(dependencies.audit)
  const store = createCredentialStore({ database, sealedFields, secrets, clock })
  const refresh = createAccountRefresh({ store, ask, clock, log, signal, signInOf: (brand) => catalogue.brand(brand)?.sign_in })
  const keeper = createCredentialKeeper({ store, refresh, clock })
  const test = createTestCredential({ catalogue, connections, groups, contributions, secrets, keeper })
  const signIns = createSignIns({
    ...{ store, ask, clock, log },
    callbackUrl: () => urls.api(callbackPath),
    onCompleted: (credential, { actor, credentialId }) =>
      audit('credential.signed_in', credential, actor, { again: credentialId !== undefined }),
  })
  return {
    keeper,
    routes: [
      ...createCredentialRoutes({ store, catalogue, connections, test, audit, clock }),
      ...createSignInRoutes({ signIns, store, catalogue }),
    ],
    async warn() {
      for (const connection of connections.configured) {
        const id = connection.settings.credential_id?.toLowerCase()
        if (id === undefined || !connection.settings.enabled) continue
        const problem = problemWith(connection, id, await store.find(id))
        if (problem !== undefined)
          log.warn(`The connection “${connection.handle}” cannot be called: ${problem}`, {
            path: `providers.${connection.handle}.credential_id`,
          })
      }
    },
    close: () => signIns.close(),
  }
}
