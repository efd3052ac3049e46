import type { AuthSection } from '@agent-service/kernel-core/config'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import type { Logger } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { EphemeralTokens } from '@agent-service/sdk/services/ephemeral-tokens'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { UserAccounts } from './accounts/user-accounts.js'
import type { AuditLog } from './audit/index.js'
import { createEphemeralCredentials, type EphemeralCredentials } from './ephemeral/ephemeral-credentials.js'
import { createEphemeralTokens } from './ephemeral/ephemeral-tokens.js'
import { type CredentialDenials, createCredentialDenials } from './keys/credential-denials.js'
import type { SigningKeys } from './keys/signing-keys.js'
import { createPresignIds } from './presign/presign-ids.js'
import { createPresignRoutes } from './presign/presign-routes.js'
import { createPresignedCredentials, type PresignedCredentials } from './presign/presigned-credentials.js'
import { createPresignedUrls, type PresignedUrls } from './presign/presigned-urls.js'
import type { Revocations } from './records/revocations.js'

/** The credentials that are signed and not stored, and the denials of revoked ones. */
export interface UnstoredCredentials {
  readonly ephemeralTokens: EphemeralTokens
  readonly presignedUrls: PresignedUrls
  /** For the authenticator. */
  readonly proofs: {
    readonly ephemeral: EphemeralCredentials
    readonly presigned: PresignedCredentials
    readonly denials: CredentialDenials
  }
  readonly routes: readonly HttpRoute[]
  readonly jobs: readonly SchedulerJob[]
}

/**
 * Opens ephemeral tokens and pre-signed URLs. `key` is that of refresh tokens; its uses here are
 * separated from all others.
 */
export function openUnstoredCredentials(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly keys: SigningKeys
  readonly key: Uint8Array
  readonly issuer: () => string
  readonly accounts: UserAccounts
  readonly revocations: Revocations
  readonly audit: AuditLog
  readonly log: Logger
  readonly urls: Pick<Urls, 'api'>
  readonly settings: Pick<AuthSection, 'ephemeral_token_expiry_secs' | 'presign_expiry_secs'>
}): UnstoredCredentials {
  const { key, settings } = dependencies
  const ephemeralSeconds = settings.ephemeral_token_expiry_secs
  const denials = createCredentialDenials(dependencies)
  const ephemeral = createEphemeralCredentials({ ...dependencies, lifetimeSeconds: ephemeralSeconds })
  const presigned = createPresignedCredentials(dependencies)
  const presignedUrls = createPresignedUrls({
    ...dependencies,
    ...{ credentials: presigned, ids: createPresignIds(key), denials, lifetimeSeconds: settings.presign_expiry_secs },
  })
  return {
    ephemeralTokens: createEphemeralTokens({ ...dependencies, credentials: ephemeral, denials, lifetimeSeconds: ephemeralSeconds }),
    presignedUrls,
    proofs: { ephemeral, presigned, denials },
    routes: createPresignRoutes({ presignedUrls }),
    jobs: [
      {
        specVersion: 1,
        id: 'kernel.prune-credential-denials',
        title: 'Delete denials of credentials that would have expired by now',
        everySeconds: 3_600,
        run: (options) => denials.prune(options),
      },
    ],
  }
}
