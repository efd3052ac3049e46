import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, defineCollection } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import { limits } from '../common/limits.js'
import type { Cookie } from './cookies.js'

/** What is kept of the profile of one agent of a user. */
export type StoredProfile = {
  /** `<user>.<agent>`. */
  readonly id: string
  readonly user_id: string
  readonly agent_id: string
  /** Its folder below `browser.profiles_path`, where the browser service keeps profiles. */
  readonly folder: string
  /** Where its cookies are: on the disk of the browser service, or sealed in here. */
  readonly kept_by: 'service' | 'here'
  /** A list of cookies; null if the browser service keeps them, or there are none. */
  readonly cookies: string | null
  readonly cookie_count: number
  readonly updated_at: string
}

export const profileCollection = defineCollection<StoredProfile>()({
  name: 'browser.profiles',
  version: 1,
  userField: 'user_id',
  sealed: ['cookies'],
  indexes: { by_user: { fields: ['user_id', 'updated_at'] } },
})

/** Whose profile. A profile is never shared: an agent’s sign-ins may come from a credential of this agent alone. */
export interface ProfileOwner {
  readonly userId: string
  readonly userHandle: string
  readonly agentId: string
}

export const profileId = ({ userId, agentId }: Pick<ProfileOwner, 'userId' | 'agentId'>): string => `${userId}.${agentId}`

/** `ada/0190…`: names that make no path of their own. */
export const profileFolder = ({ userHandle, agentId }: ProfileOwner): string => [userHandle, agentId].map(safePart).join('/')

const safePart = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 100)

/** The profiles that are kept. */
export interface StoredProfiles {
  /** The cookies of a profile that is kept here; none if there is none. */
  cookies(owner: ProfileOwner): Promise<readonly Cookie[]>
  /** Notes that a profile is in use; with cookies if it is kept here. */
  save(owner: ProfileOwner, kept: { readonly by: 'service' } | { readonly by: 'here'; readonly cookies: readonly Cookie[] }): Promise<void>
  list(userId: string): Promise<readonly StoredProfile[]>
  remove(id: string): Promise<void>
}

export function createStoredProfiles({
  database,
  sealed,
  clock,
}: {
  readonly database: Database
  readonly sealed: SealedFields
  readonly clock: Pick<Clock, 'now'>
}): StoredProfiles {
  const profiles = database.collection(profileCollection)
  const placeOf = (id: string) => ({ collection: profileCollection, id, field: 'cookies' }) as const
  const list = async (userId: string): Promise<readonly StoredProfile[]> => {
    const { items } = await profiles.query({ index: 'by_user', equals: [userId], limit: limits.maxProfilesPerUser, order: 'descending' })
    return items
  }
  return {
    list,
    async cookies(owner) {
      const id = profileId(owner)
      const found = await profiles.get(id)
      if (found?.cookies === undefined || found.cookies === null) return []
      return JSON.parse(await sealed.open(found.cookies, placeOf(id))) as readonly Cookie[]
    },
    async save(owner, kept) {
      const id = profileId(owner)
      const cookies = kept.by === 'here' ? kept.cookies : []
      const text = cookies.length === 0 ? null : await sealed.seal(JSON.stringify(cookies), placeOf(id))
      const document: StoredProfile = {
        ...{ id, user_id: owner.userId, agent_id: owner.agentId, folder: profileFolder(owner) },
        ...{ kept_by: kept.by, cookies: text, cookie_count: cookies.length, updated_at: new Date(clock.now()).toISOString() },
      }
      await profiles.put(document)
    },
    async remove(id) {
      await profiles.delete(id)
    },
  }
}

/** Export, erasure and size. Cookies are credentials and leave in no export. `forget` also clears what the browser service keeps. */
export function createBrowserUserData(
  profiles: Pick<StoredProfiles, 'list'> | undefined,
  forget: (userId: string, signal: AbortSignal) => Promise<void>,
): UserData {
  const all = async (userId: string): Promise<readonly StoredProfile[]> => (await profiles?.list(userId)) ?? []
  return {
    specVersion: 1,
    id: 'browser',
    collections: [profileCollection.name],
    shownBy: ['getBrowser'],
    async *export(userId, { signal }) {
      for (const { agent_id, cookie_count, updated_at, kept_by } of await all(userId)) {
        signal.throwIfAborted()
        yield { path: `browser/${safePart(agent_id)}.json`, json: { agent_id, cookie_count, kept_by, updated_at } }
      }
    },
    erase: (userId, { signal }) => forget(userId, signal),
    async size(userId) {
      const own = await all(userId)
      return { records: own.length, bytes: own.reduce((sum, each) => sum + JSON.stringify(each).length, 0) }
    },
  }
}
