import type { Logger } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Resources } from '@agent-service/sdk/services/resources'
import type { AuthSection } from '../config/sections/index.js'
import type { KernelDatabase } from '../database/kernel-database.js'
import type { Authenticator } from '../http/authenticator.js'
import type { SecretCipher } from '../secrets/secret-cipher.js'
import { createAccessTokens } from './access-tokens.js'
import { createAccountDirectory } from './account-directory.js'
import { createAuthRoutes } from './auth-routes.js'
import { readCommonPasswords } from './common-passwords.js'
import { createCredentialEnds } from './credential-ends.js'
import { createPasswordHasher, type PasswordCost } from './password-hasher.js'
import { authSettings } from './records.js'
import { createSessionUserData } from './session-user-data.js'
import { createSessions, type Sessions } from './sessions.js'
import { createSetupCode } from './setup-code.js'
import { createSignIn } from './sign-in.js'
import { openSigningKeys } from './signing-keys.js'
import { createTokenAuthenticator } from './token-authenticator.js'
import { createUserAccounts, type UserAccounts } from './user-accounts.js'
import { createUserAdminRoutes } from './user-admin-routes.js'

/** What accounts are made of. */
export interface AuthDependencies {
  /** The kernel's own view, opened with `authCollections` among the rest. */
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly cipher: SecretCipher
  readonly clock: Clock
  readonly log: Logger
  readonly resources: Resources
  readonly settings: Pick<AuthSection, 'access_token_expiry_secs' | 'allow_registration'>
  /** `server.timezone`, else the detected zone. */
  readonly timezone: string
  /** `issuer_url`, `backend_url`, `base_url`, `http://localhost:{port}`: the first that is set. Asked at each use. */
  readonly issuer: () => string
  /** Lower in tests, where a real hash at each sign-in takes too long. */
  readonly passwordCost?: PasswordCost
}

/** Accounts, ready. */
export interface Auth {
  readonly accounts: UserAccounts
  readonly directory: Accounts
  readonly sessions: Sessions
  readonly authenticator: Authenticator
  readonly routes: readonly HttpRoute[]
  readonly userData: readonly UserData[]
  readonly jobs: readonly SchedulerJob[]
  /** The code to print at the start; `undefined` once there is an account. */
  pendingSetupCode(): Promise<string | undefined>
  /** Called once when the service listens. Warns when the issuer is another one than before, because that ended every access token. */
  noteIssuer(): Promise<void>
}

/** Opens accounts over the store. @throws `secret_unreadable` when the signing key was sealed under another encryption secret. */
export async function openAuth(dependencies: AuthDependencies): Promise<Auth> {
  const { database, kernelDatabase, cipher, clock, log, resources, settings, timezone, issuer, passwordCost } = dependencies
  const [commonPasswords, keys] = await Promise.all([readCommonPasswords(resources), openSigningKeys({ database, cipher, clock })])
  const ends = createCredentialEnds()
  const hasher = createPasswordHasher({ clock, ...(passwordCost ? { cost: passwordCost } : {}) })
  const allowRegistration = settings.allow_registration
  const lifetimeSeconds = settings.access_token_expiry_secs
  const accounts = createUserAccounts({ database, kernelDatabase, clock, hasher, ends, commonPasswords, allowRegistration })
  const sessions = createSessions({ database, kernelDatabase, clock, ends, lifetimeSeconds })
  const tokens = createAccessTokens({ keys, clock, issuer, lifetimeSeconds })
  const signIn = createSignIn({ database, accounts, sessions, tokens, hasher, log })
  const setupCode = createSetupCode()

  return {
    accounts,
    directory: createAccountDirectory({ accounts, timezone }),
    sessions,
    authenticator: createTokenAuthenticator({ tokens, sessions, accounts, ends, log }),
    routes: [...createAuthRoutes({ accounts, signIn, keys, setupCode, allowRegistration }), ...createUserAdminRoutes({ accounts })],
    userData: [createSessionUserData({ database })],
    jobs: [
      {
        specVersion: 1,
        id: 'kernel.prune-sessions',
        title: 'Delete the records of sessions that ended long ago',
        everySeconds: 3_600,
        run: (options) => sessions.prune(options),
      },
    ],
    pendingSetupCode: async () => ((await accounts.isEmpty()) ? setupCode.code : undefined),
    async noteIssuer() {
      const current = issuer()
      const before = await database.collection(authSettings).get('issuer')
      if (before?.value === current) return
      if (before)
        log.warn('The issuer of access tokens has changed; tokens given out before no longer count.', { before: before.value, current })
      await database.collection(authSettings).put({ id: 'issuer', value: current })
    },
  }
}
