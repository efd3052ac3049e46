import { abortable } from '@agent-service/sdk/async'
import type { AwsCredentials } from '../common/aws-credentials.js'

/** How long before they expire credentials are replaced, in milliseconds. */
const earlyMs = 5 * 60_000
/**
 * How long credentials without an expiry are kept before the next look-up: the file may have
 * changed. In milliseconds.
 */
const keepMs = 5 * 60_000
/** The pause between attempts to replace credentials that are still valid, in milliseconds. */
const pauseMs = 60_000

/** The credentials of each profile, kept until 5 minutes before they expire. */
export interface CredentialStore {
  /**
   * The credentials of a profile, or of the chain. Concurrent callers share one search. Rejects
   * with the signal's reason when it is aborted.
   */
  get(profile: string | undefined, signal: AbortSignal): Promise<AwsCredentials>
  /**
   * The service refused these: looks them up again, once for all callers, and returns whether there
   * are others now.
   */
  replace(profile: string | undefined, refused: AwsCredentials, signal: AbortSignal): Promise<boolean>
}

/** Dependencies of the store. */
export interface CredentialStoreOptions {
  /** Finds credentials. Ends in bounded time. */
  find(profile: string | undefined): Promise<AwsCredentials>
  /** In milliseconds since 1970. */
  now(): number
}

interface Entry {
  credentials: AwsCredentials | undefined
  /** When replacing begins. */
  refreshAt: number
  /** When they expire. */
  endsAt: number
  search: Promise<AwsCredentials> | undefined
}

/** Makes an empty store. */
export function createCredentialStore({ find, now }: CredentialStoreOptions): CredentialStore {
  const entries = new Map<string | undefined, Entry>()

  const entryOf = (profile: string | undefined): Entry => {
    const known = entries.get(profile)
    if (known) return known
    const made: Entry = { credentials: undefined, refreshAt: 0, endsAt: 0, search: undefined }
    entries.set(profile, made)
    return made
  }

  const search = (profile: string | undefined, entry: Entry): Promise<AwsCredentials> => {
    entry.search ??= find(profile)
      .then((credentials) => {
        const { expiresAt } = credentials
        entry.credentials = credentials
        entry.endsAt = expiresAt ?? now() + keepMs
        // Credentials with little time left are not requested again with every call.
        entry.refreshAt = expiresAt === undefined ? entry.endsAt : Math.max(expiresAt - earlyMs, Math.min(now() + pauseMs, expiresAt))
        return credentials
      })
      .finally(() => {
        entry.search = undefined
      })
    return entry.search
  }

  return {
    async get(profile, signal) {
      const entry = entryOf(profile)
      const { credentials } = entry
      if (credentials && now() < entry.refreshAt) return credentials
      try {
        return await abortable(search(profile, entry), signal)
      } catch (error) {
        if (signal.aborted || !credentials || now() >= entry.endsAt) throw error
        entry.refreshAt = now() + pauseMs
        return credentials
      }
    },
    async replace(profile, refused, signal) {
      const entry = entryOf(profile)
      // Another caller has replaced them since the call was signed.
      const current =
        entry.credentials && !isSame(entry.credentials, refused) ? entry.credentials : await abortable(search(profile, entry), signal)
      return !isSame(current, refused)
    },
  }
}

const isSame = (one: AwsCredentials, other: AwsCredentials): boolean =>
  one.accessKeyId === other.accessKeyId && one.secretAccessKey === other.secretAccessKey && one.sessionToken === other.sessionToken
