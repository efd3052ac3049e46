import { signalWithin } from '@agent-service/sdk/async'
import type { AwsCredentials, ReadVariable } from '../common/aws-credentials.js'
import { credentialsUnavailable } from '../common/credential-failure.js'
import { type CredentialStore, createCredentialStore } from './credential-store.js'
import { findCredentials } from './find-credentials.js'
import { readProfiles } from './profiles/read-profiles.js'
import { regionOf } from './region.js'

/** The limit for one search for credentials, in milliseconds. */
const searchLimitMs = 60_000

/** What this machine knows of AWS: credentials, region, a bearer key. */
export interface AwsAccess {
  readonly credentials: CredentialStore
  /**
   * `AWS_REGION`, `AWS_DEFAULT_REGION`, or that of the profile (`AWS_PROFILE` or `default` if none
   * is given).
   */
  region(profile: string | undefined): Promise<string | undefined>
  /** `AWS_BEARER_TOKEN_BEDROCK`. */
  bearerKey(): string | undefined
}

/** What {@link createAwsAccess} needs. */
export interface AwsAccessOptions {
  readonly readVariable: ReadVariable
  /** In milliseconds since 1970. */
  now(): number
  /** Where the shared files are, below `.aws`. */
  readonly homeFolder: string
  /** Aborted when the plugin stops: ends every search. */
  readonly signal: AbortSignal
  /** Masks a secret in logs. */
  protect(secret: string): void
}

/** Makes the access. Reads nothing before the first call. */
export function createAwsAccess({ readVariable, now, homeFolder, signal, protect }: AwsAccessOptions): AwsAccess {
  const find = async (profile: string | undefined): Promise<AwsCredentials> => {
    const within = signalWithin(searchLimitMs, signal)
    const means = { readVariable, now, homeFolder, signal: within }
    const credentials = await findCredentials(profile, means).catch((error: unknown) => {
      if (signal.aborted) throw credentialsUnavailable('The provider is being stopped.')
      throw within.aborted ? credentialsUnavailable(`Finding AWS credentials took more than ${searchLimitMs} ms.`) : error
    })
    protect(credentials.secretAccessKey)
    if (credentials.sessionToken !== undefined) protect(credentials.sessionToken)
    return credentials
  }
  return {
    credentials: createCredentialStore({ find, now }),
    async region(profile) {
      const named = regionOf(readVariable, undefined)
      if (named !== undefined) return named
      return (await readProfiles({ readVariable, homeFolder })).find(profile ?? readVariable('AWS_PROFILE') ?? 'default')?.get('region')
    },
    bearerKey: () => readVariable('AWS_BEARER_TOKEN_BEDROCK'),
  }
}
