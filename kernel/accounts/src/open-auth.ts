import type { AuthSection, SignInPolicy } from '@agent-service/kernel-core/config'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import type { Authenticator } from '@agent-service/kernel-core/http'
import type { SealedField, SecretCipher } from '@agent-service/kernel-core/secrets'
import type { Logger } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import type { EmailConfirmation } from '@agent-service/sdk/services/email-confirmation'
import type { EphemeralTokens } from '@agent-service/sdk/services/ephemeral-tokens'
import type { ExternalSignIn } from '@agent-service/sdk/services/external-sign-in'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import type { Resources } from '@agent-service/sdk/services/resources'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { InjectionToken } from 'tsyringe'
import { type AccountAdministration, createAccountAdministration } from './accounts/account-administration.js'
import { type AccountChanges, createAccountChanges } from './accounts/account-changes.js'
import { createAccountDirectory } from './accounts/account-directory.js'
import { createUserAccounts, type UserAccounts } from './accounts/user-accounts.js'
import { createAccountRequests } from './admission/account-requests.js'
import { createInvitations, type Invitations } from './admission/invitations.js'
import type { Registration } from './admission/registration.js'
import type { AuditLog } from './audit/index.js'
import { createAuditRoutes } from './audit/index.js'
import { createEmailChanges } from './email/changed-email.js'
import { createEmailConfirmation } from './email/email-confirmation.js'
import { settleAddresses } from './email/settle-addresses.js'
import { createSealedNames, createUserErasure } from './erasure/index.js'
import { createAccountLinks } from './external-identities/account-links.js'
import { createExternalConfirmation } from './external-identities/external-confirmation.js'
import { createExternalSignIn } from './external-identities/external-sign-in.js'
import { createAccountHandOver } from './hand-over/account-hand-over.js'
import { createAccessTokens } from './keys/access-tokens.js'
import { openSigningKeys } from './keys/signing-keys.js'
import { openUnstoredCredentials } from './open-unstored-credentials.js'
import { readCommonPasswords } from './passwords/common-passwords.js'
import { createLoginThrottle } from './passwords/login-throttle.js'
import { createOwnPassword } from './passwords/own-password.js'
import { createPasswordHasher, type PasswordCost } from './passwords/password-hasher.js'
import type { PresignedUrls } from './presign/presigned-urls.js'
import { noRawData, type RawData } from './raw-data/index.js'
import { createSignInUserData } from './records/owned-records.js'
import { authSettings } from './records/records.js'
import { createRevocations } from './records/revocations.js'
import { createSetupCode } from './records/setup-code.js'
import { createAccountRequestRoutes } from './routes/account-request-routes.js'
import { createConfirmRoute } from './routes/confirm-route.js'
import { createDemoRoute } from './routes/demo-route.js'
import { createInvitationRoutes } from './routes/invitation-routes.js'
import { createProfileRoutes } from './routes/profile-routes.js'
import { createPublicRoutes } from './routes/public-routes.js'
import { createSessionRoutes } from './routes/session-routes.js'
import { createSignInRoutes } from './routes/sign-in-routes.js'
import { createTokenRoutes } from './routes/token-routes.js'
import { createUserAccessRoutes } from './routes/user-access-routes.js'
import { createUserAdminRoutes } from './routes/user-admin-routes.js'
import { sealedAuthFields } from './sealed-fields.js'
import { createAdministeredAccess } from './sessions/administered-access.js'
import { createDemoLink } from './sessions/demo-link.js'
import { createDemoSignIn } from './sessions/demo-sign-in.js'
import { createHasSession } from './sessions/has-session.js'
import { createKnownAddresses } from './sessions/known-addresses.js'
import { createRefresh } from './sessions/refresh.js'
import { createRefreshCookie } from './sessions/refresh-cookie.js'
import { openRefreshKey } from './sessions/refresh-key.js'
import { createRefreshTokens } from './sessions/refresh-tokens.js'
import { createSessionConfirmation } from './sessions/session-confirmation.js'
import { createSessions, type Sessions } from './sessions/sessions.js'
import { createEndEarlier, createSignedInAnswer, createSignIn } from './sessions/sign-in.js'
import { createPersonalAccessTokens, type PersonalAccessTokens } from './tokens/personal-access-tokens.js'
import { createTokenAuthenticator } from './tokens/token-authenticator.js'

/** The dependencies of accounts. */
export interface AuthDependencies {
  /** The kernel's own view, opened with `authCollections` among the rest. */
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly cipher: SecretCipher
  readonly clock: Clock
  readonly log: Logger
  readonly resources: Resources
  readonly settings: Pick<
    AuthSection,
    | 'access_token_expiry_secs'
    | 'refresh_token_expiry_secs'
    | 'ephemeral_token_expiry_secs'
    | 'presign_expiry_secs'
    | 'allow_registration'
    | 'signing_key_rotation_days'
  >
  /** Which ways to sign in are open. */
  readonly signInPolicy: SignInPolicy
  readonly audit: AuditLog
  readonly contributions: Contributions
  /** `{storage.data_dir}/users`. */
  readonly usersFolder: string
  /** Called only after requests come in. */
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly urls: Pick<Urls, 'api' | 'page'>
  /** Aborted when the service stops: ends work in the background. */
  readonly signal: AbortSignal
  /** `server.timezone`, else the detected zone. */
  readonly timezone: string
  /**
   * The first that is set of `issuer_url`, `backend_url`, `base_url`, `http://localhost:{port}`.
   * Called at each use.
   */
  readonly issuer: () => string
  /**
   * Pages and API are on different sites, so that cookies must be sent with requests between them.
   */
  readonly crossSite: boolean
  /** The path of the refresh cookie: what the pages and the API have in common. */
  readonly cookiePath: string
  /**
   * Called when an account's role or access changes, before the change is acknowledged. Default:
   * does nothing.
   */
  readonly onRolesChanged?: () => void
  /**
   * Called while a person signs up, in, or refreshes a session: requests are about to follow.
   * Default: does nothing.
   */
  readonly onSigningIn?: () => void
  /** The plugins that keep data of users and do not run. Default: none. */
  readonly absentPlugins?: () => readonly string[]
  /** What is stored of users that no running plugin answers for. Default: nothing. */
  readonly rawData?: RawData
  /** Who gets an account after the first one. Default: as `allow_registration` says, whoever set it. */
  readonly registration?: Registration
  /** Whether a new installation still has a choice to make. Default: never. */
  readonly isSetUpOpen?: () => boolean
  /** The demo, of which people are told. Default: false. */
  readonly isDemo?: boolean
  /** Whether the demo has a link that signs in. Default: false. */
  readonly hasDemoLink?: boolean
  /** Lower in tests, since a real hash at each sign-in takes too long. */
  readonly passwordCost?: PasswordCost
}

/** The opened accounts. */
export interface Auth {
  readonly accounts: UserAccounts
  readonly directory: Accounts
  readonly administration: AccountAdministration
  readonly changes: AccountChanges
  readonly invitations: Invitations
  readonly sessions: Sessions
  readonly personalTokens: PersonalAccessTokens
  readonly ephemeralTokens: EphemeralTokens
  readonly presignedUrls: PresignedUrls
  readonly authenticator: Authenticator
  /**
   * For the plugin that identifies people at an identity provider; absent while single sign-on is
   * off.
   */
  readonly externalSignIn: ExternalSignIn | undefined
  /** For the plugin that sends e-mail. */
  readonly emailConfirmation: EmailConfirmation
  readonly routes: readonly HttpRoute[]
  readonly userData: readonly UserData[]
  readonly jobs: readonly SchedulerJob[]
  /** The fields to seal again when the keys of stored secrets are replaced. */
  readonly sealedFields: readonly SealedField[]
  /** The code to log at the start; `undefined` if there is an account. */
  pendingSetupCode(): Promise<string | undefined>
  /** Makes the secret of a link that signs in to the demo once; absent outside of the demo. */
  readonly issueDemoLink: (() => string) | undefined
  /**
   * Continues, in the background, the erasures and hand-overs of the previous process. Called once
   * when the plugins run.
   */
  continueErasures(): void
  /** Continues hand-overs, in the background: a plugin with data of users has started. */
  continueHandOvers(): void
  /** Resolves when nothing is at work in the background. After the signal, nothing begins any more. */
  close(): Promise<void>
  /**
   * Called once when the service listens. Warns if the issuer has changed, because that invalidates
   * every access token.
   */
  noteIssuer(): Promise<void>
}

/**
 * Opens accounts on the database. @throws `secret_unreadable` if the signing key was sealed under
 * another encryption secret.
 */
export async function openAuth(dependencies: AuthDependencies): Promise<Auth> {
  const { database, kernelDatabase, cipher, clock, log, resources, settings, timezone, issuer, passwordCost, audit, contributions } =
    dependencies
  const [commonPasswords, keys, refreshKey] = await Promise.all([
    readCommonPasswords(resources),
    openSigningKeys({
      ...{ database, cipher, clock, audit },
      rotationDays: settings.signing_key_rotation_days,
      tokenLifetimeSeconds: Math.max(settings.access_token_expiry_secs, settings.ephemeral_token_expiry_secs, settings.presign_expiry_secs),
    }),
    openRefreshKey({ database, cipher }),
  ])
  await settleAddresses({ database, clock })
  const revocations = createRevocations()
  const emailChanges = createEmailChanges()
  const hasher = createPasswordHasher({ clock, ...(passwordCost ? { cost: passwordCost } : {}) })
  const allowRegistration = settings.allow_registration
  const lifetimes = { accessSeconds: settings.access_token_expiry_secs, refreshSeconds: settings.refresh_token_expiry_secs }
  const registration = dependencies.registration ?? (allowRegistration ? 'open' : 'closed')
  const accounts = createUserAccounts({ database, clock, hasher, commonPasswords, allowRegistration: registration === 'open' })
  const requests = createAccountRequests({ database, kernelDatabase, clock, hasher, commonPasswords, emailChanges, audit })
  const invitations = createInvitations({ database, clock, audit, urls: dependencies.urls })
  const { signal, usersFolder, rawData = noRawData } = dependencies
  const sealedNames = createSealedNames({ cipher, log })
  const erasure = createUserErasure({ database, contributions, rawData, usersFolder, sealedNames, clock, log })
  const background = createBackground({ signal, log })
  const eraseNow = (): void => background.run(() => erasure.run({ signal }), 'An erasure did not finish; the service will try again.')
  const absent = dependencies.absentPlugins ?? (() => [])
  const handOver = createAccountHandOver({ database, contributions, rawData, usersFolder, absent, clock, audit, log, signal })
  const handOverNow = (): void => background.run(() => handOver.run(), 'A hand-over did not finish; the service will try again.')
  const shared = { database, kernelDatabase, clock, hasher, revocations, emailChanges, audit, commonPasswords }
  const administration = createAccountAdministration({
    ...shared,
    sealedNames,
    onDeleted: eraseNow,
    onRolesChanged: dependencies.onRolesChanged ?? (() => undefined),
  })
  const ownPassword = createOwnPassword({ hasher, clock, loginThrottle: createLoginThrottle({ clock }) })
  const changes = createAccountChanges({ ...shared, ownPassword })
  const confirmation = createSessionConfirmation({ database, clock, ownPassword, audit, log })
  const sessions = createSessions({ database, kernelDatabase, clock, revocations, audit, lifetimes })
  const refreshTokens = createRefreshTokens(refreshKey)
  const refresh = createRefresh({ database, clock, sessions, tokens: refreshTokens, lifetimes, audit, log })
  const personalTokens = createPersonalAccessTokens({ database, kernelDatabase, clock, revocations, audit, log })
  const tokens = createAccessTokens({ keys, clock, issuer, lifetimeSeconds: lifetimes.accessSeconds })
  const unstored = openUnstoredCredentials({ ...dependencies, keys, key: refreshKey, accounts, revocations })
  const emailConfirmation = createEmailConfirmation({ database, clock, key: refreshKey, changes: emailChanges, audit })
  const addresses = createKnownAddresses({ database, clock })
  const loginThrottle = createLoginThrottle({ clock })
  const answer = createSignedInAnswer({ tokens, refreshTokens })
  const endEarlier = createEndEarlier({ sessions, refreshTokens })
  const signIn = createSignIn({
    ...{
      database,
      clock,
      loginThrottle,
      emailChanges,
      addresses,
      accounts,
      requests,
      sessions,
      answer,
      endEarlier,
      refreshTokens,
      refresh,
      hasher,
      audit,
      log,
    },
    onSigningIn: dependencies.onSigningIn ?? (() => undefined),
  })
  const cookie = createRefreshCookie({ path: dependencies.cookiePath, crossSite: dependencies.crossSite, now: () => clock.now() })
  const setupCode = createSetupCode()
  const demoLink = dependencies.hasDemoLink === true ? createDemoLink(clock) : undefined
  const demo = demoLink && createDemoSignIn({ link: demoLink, database, sessions, addresses, answer, endEarlier, clock, audit, log })
  const { singleSignOn, localSignIn } = dependencies.signInPolicy
  if (!singleSignOn && !localSignIn) log.warn('No one can sign in: local sign-in is off, and no plugin offers single sign-on.')
  const links = createAccountLinks({ database, kernelDatabase, clock, revocations, audit, handOver })

  return {
    accounts,
    administration,
    changes,
    directory: createAccountDirectory({
      accounts,
      requests,
      changes,
      hasSession: createHasSession({ accounts, sessions, clock }),
      timezone,
    }),
    invitations,
    sessions,
    personalTokens,
    ephemeralTokens: unstored.ephemeralTokens,
    presignedUrls: unstored.presignedUrls,
    authenticator: createTokenAuthenticator({
      tokens,
      personalTokens,
      sessions,
      refresh,
      ...unstored.proofs,
      accounts,
      revocations,
      clock,
      log,
    }),
    externalSignIn: singleSignOn
      ? Object.freeze<ExternalSignIn>({
          ...createExternalSignIn({
            database,
            links,
            sessions,
            addresses,
            refreshTokens,
            cookie,
            handOver,
            setupCode,
            registration,
            requests,
            audit,
            log,
          }),
          ...createExternalConfirmation({ database, confirmation, log }),
        })
      : undefined,
    emailConfirmation,
    routes: [
      ...createPublicRoutes({
        accounts,
        keys,
        allowRegistration,
        registration,
        signInPolicy: dependencies.signInPolicy,
        isSetUpOpen: dependencies.isSetUpOpen ?? (() => false),
        isDemo: dependencies.isDemo ?? false,
      }),
      ...(demo ? [createDemoRoute({ demo, cookie })] : []),
      ...createSignInRoutes({
        signIn,
        setupCode,
        cookie,
        localSignIn,
        policies: dependencies.policies,
        accounts,
        registration,
        requests,
        invitations,
      }),
      ...createInvitationRoutes({ invitations, accounts }),
      ...createAccountRequestRoutes(requests),
      createConfirmRoute({ accounts, confirmation, localSignIn }),
      ...createProfileRoutes({ accounts, changes, localSignIn }),
      ...createSessionRoutes({ accounts, sessions }),
      ...createTokenRoutes({ accounts, tokens: personalTokens }),
      ...unstored.routes,
      ...createUserAdminRoutes({ accounts, administration, audit }),
      ...createUserAccessRoutes({ accounts, sessions, access: createAdministeredAccess({ ...shared, sessions }) }),
      ...createAuditRoutes({ audit, usernameOf: async (userId) => (await accounts.get(userId))?.username }),
    ],
    userData: [createSignInUserData({ database })],
    sealedFields: sealedAuthFields(database),
    jobs: [
      ...unstored.jobs,
      {
        specVersion: 1,
        id: 'kernel.prune-sessions',
        title: 'Delete the records of sessions that ended long ago',
        everySeconds: 3_600,
        run: (options) => sessions.prune(options),
      },
      {
        specVersion: 1,
        id: 'kernel.prune-known-addresses',
        title: 'Delete addresses without a recent sign-in',
        everySeconds: 86_400,
        run: (options) => addresses.prune(options),
      },
      {
        specVersion: 1,
        id: 'kernel.prune-invitations',
        title: 'Delete invitations, and requests for accounts, that ended',
        everySeconds: 3_600,
        async run(options) {
          await invitations.prune(options)
          await requests.prune(options)
        },
      },
      {
        specVersion: 1,
        id: 'kernel.prune-email-limits',
        title: 'Delete counts of e-mails that limit nothing any more',
        everySeconds: 86_400,
        run: (options) => emailConfirmation.prune(options),
      },
      {
        specVersion: 1,
        id: 'kernel.prune-audit-events',
        title: 'Delete security events that are over a year old',
        everySeconds: 86_400,
        run: (options) => audit.prune(options),
      },
      {
        specVersion: 1,
        id: 'kernel.rotate-signing-keys',
        title: 'Replace old signing keys of access tokens',
        everySeconds: 3_600,
        run: () => keys.rotate(),
      },
      {
        specVersion: 1,
        id: 'kernel.erase-users',
        title: 'Erase the data of deleted accounts',
        everySeconds: 600,
        run: (options) => erasure.run(options),
      },
      {
        specVersion: 1,
        id: 'kernel.hand-over-accounts',
        title: 'Take away what former holders of accounts left',
        everySeconds: 600,
        run: () => handOver.run(),
      },
    ],
    issueDemoLink: demoLink && (() => demoLink.issue()),
    continueErasures() {
      eraseNow()
      handOverNow()
    },
    continueHandOvers: handOverNow,
    close: background.close,
    pendingSetupCode: async () => ((await accounts.isEmpty()) ? setupCode.code : undefined),
    async noteIssuer() {
      const current = issuer()
      const before = await database.collection(authSettings).get('issuer')
      if (before?.value === current) return
      if (before)
        log.warn('The issuer of access tokens has changed; earlier tokens are no longer valid.', { before: before.value, current })
      await database.collection(authSettings).put({ id: 'issuer', value: current })
    },
  }
}

/** Work that no caller waits for, until the signal. */
function createBackground({ signal, log }: { readonly signal: AbortSignal; readonly log: Pick<Logger, 'warn'> }) {
  const atWork = new Set<Promise<void>>()
  return {
    /** A failure is logged, unless the service stops meanwhile. */
    run(work: () => Promise<void>, failure: string): void {
      if (signal.aborted) return
      const done: Promise<void> = work()
        .catch((error: unknown) => {
          if (!signal.aborted) log.warn(failure, { error })
        })
        .finally(() => atWork.delete(done))
      atWork.add(done)
    },
    async close(): Promise<void> {
      await Promise.all(atWork)
    },
  }
}

export const authToken: InjectionToken<Auth> = Symbol('auth')
