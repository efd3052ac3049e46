import type { Logger } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Credentials } from '@agent-service/sdk/services/credentials'
import type { Database } from '@agent-service/sdk/services/database'
import type { SealedFields, Secrets } from '@agent-service/sdk/services/secrets'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import type { Connections } from '../connections/connections.js'
import { createCredentialAudit } from '../credentials/credential-audit.js'
import { type CredentialKeeper, createCredentialKeeper, credentialIdOf, problemWith } from '../credentials/credential-keeper.js'
import { moveEarlierCredentials } from '../credentials/earlier-credentials.js'
import { createManagedCredentials, type ManagedCredentials } from '../credentials/managed-credentials.js'
import type { GroupRegistry } from '../targets/group-registry.js'
import { createAccountSignIns } from './account-sign-ins.js'
import { createCredentialRoutes } from './credential-routes.js'
import { callbackPath, createSignInRoutes } from './sign-in-routes.js'
import { createTestCredential } from './test-credential.js'

/** What managed credentials depend on. */
export interface CredentialDependencies {
  readonly credentials: Credentials
  /** Holds credentials of earlier versions. */
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
}

/** Managed credentials of brands: for calls, and for administrators. */
export interface BrandCredentials {
  readonly keeper: CredentialKeeper
  readonly managed: ManagedCredentials
  readonly routes: readonly HttpRoute[]
}

/**
 * Moves credentials of earlier versions to the service, and logs which connections name a
 * credential that they cannot use.
 */
export async function openCredentials(dependencies: CredentialDependencies): Promise<BrandCredentials> {
  const { credentials, clock, urls, catalogue, connections } = dependencies
  const signInOf = (brand: string): SignInSettings | undefined => catalogue.brand(brand)?.sign_in
  await moveEarlierCredentials({ ...dependencies, signInOf })
  const audit = createCredentialAudit(dependencies.audit)
  const managed = createManagedCredentials(credentials)
  const keeper = createCredentialKeeper(credentials)
  const test = createTestCredential({ ...dependencies, keeper })
  const signIns = createAccountSignIns({ credentials, signInOf, callbackUrl: () => urls.api(callbackPath) })
  await warnOfUnusable(managed, dependencies)
  return {
    ...{ keeper, managed },
    routes: [
      ...createCredentialRoutes({ managed, catalogue, connections, test, audit, clock }),
      ...createSignInRoutes({ signIns, managed, catalogue, connections, audit: dependencies.audit }),
    ],
  }
}

async function warnOfUnusable(
  managed: ManagedCredentials,
  { connections, log }: Pick<CredentialDependencies, 'connections' | 'log'>,
): Promise<void> {
  for (const connection of connections.configured) {
    if (connection.settings.credential_id === undefined || !connection.settings.enabled) continue
    const id = credentialIdOf(connection)
    const problem = problemWith(connection, id, await managed.find(id))
    if (problem !== undefined)
      log.warn(`The connection “${connection.handle}” cannot be called: ${problem}`, {
        path: `providers.${connection.handle}.credential_id`,
      })
  }
}
