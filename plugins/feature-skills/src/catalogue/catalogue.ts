import { join } from 'node:path'
import type { Logger } from '@agent-service/sdk'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Deployment } from '@agent-service/sdk/services/deployment'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { createHostSkillFolder } from '../folders/host-skill-folder.js'
import type { SkillFolder } from '../folders/skill-folder.js'
import { createUserSkillFolder } from '../folders/user-skill-folder.js'
import { createSkillStore, type SkillStore, type StoredSkill } from '../store/skill-store.js'

/** Where skills come from; one of a later source takes the place of one of an earlier source. */
export const skillSources = ['bundled', 'shared', 'user', 'agent'] as const
export type SkillSource = (typeof skillSources)[number]

/** Whose skills, beside those that everyone has. */
export interface CatalogueOwner {
  readonly userId: string
  /** Absent: those of no agent. */
  readonly agentId?: string
}

/** A skill, and what has become of it beside the others. */
export interface CatalogueSkill extends StoredSkill {
  readonly source: SkillSource
  /** The source whose skill of this name is used in its place; null: this one is used. */
  readonly shadowedBy: SkillSource | null
}

/** The skills of all sources. */
export interface SkillCatalogue {
  /** One place. The id of an agent is one that its user has. @throws an error for a user who is gone. */
  store(source: SkillSource, owner: CatalogueOwner): Promise<SkillStore>
  /** Those of all sources, by name and then by source. A place that cannot be read is left out, with a warning. */
  list(owner: CatalogueOwner): Promise<readonly CatalogueSkill[]>
  /** Those that an agent may use: of each name the last source that works; `*` among the names means all. */
  enabled(owner: CatalogueOwner, names: readonly string[]): Promise<readonly CatalogueSkill[]>
  /** The folders of a user were emptied: what is remembered of them counts no more. */
  forget(userId: string): void
}

/** The names of user folders that are remembered, and the stores that are kept. */
const maxKept = 2_000

export function createSkillCatalogue(dependencies: {
  readonly files: UserFiles
  readonly accounts: Pick<Accounts, 'get'>
  readonly deployment: Pick<Deployment, 'skillFolders'>
  readonly clock: Clock
  readonly log: Logger
}): SkillCatalogue {
  const { files, accounts, deployment, clock, log } = dependencies
  const handles = new Map<string, string>()
  const stores = new Map<string, SkillStore>()
  const bundled = createSkillStore(createHostSkillFolder(deployment.skillFolders.bundled), { clock, writable: false })
  const shared = createSkillStore(createHostSkillFolder(deployment.skillFolders.shared), { clock, writable: true })

  const handleOf = async (userId: string): Promise<string> => {
    const known = handles.get(userId)
    if (known !== undefined) return known
    const account = await accounts.get(userId)
    if (!account) throw new Error(`There is no account ${userId}, or it is disabled.`)
    keep(handles, userId, account.handle, () => true)
    return account.handle
  }
  const ownStore = async ({ userId, agentId }: CatalogueOwner, source: 'user' | 'agent'): Promise<SkillStore> => {
    const handle = await handleOf(userId)
    const path = source === 'user' ? 'own' : join('agents', agentId ?? '')
    const key = `${handle}/${path}`
    const known = stores.get(key)
    if (known) return known
    const folder: SkillFolder = createUserSkillFolder(files, { handle }, path)
    const store = createSkillStore(folder, { clock, writable: true })
    keep(stores, key, store, (each) => !each.isAtWork())
    return store
  }
  const store: SkillCatalogue['store'] = async (source, owner) => {
    if (source === 'bundled') return bundled
    return source === 'shared' ? shared : ownStore(owner, source)
  }
  const list: SkillCatalogue['list'] = async (owner) => {
    const sources = skillSources.filter((source) => source !== 'agent' || owner.agentId !== undefined)
    const all = await Promise.all(
      sources.map(async (source) => {
        try {
          return (await (await store(source, owner)).list()).map((skill) => ({ ...skill, source }))
        } catch (error) {
          log.warn('The skills of a source cannot be read.', { source, error })
          return []
        }
      }),
    )
    const used = new Map(all.flat().flatMap(({ name, document, source }) => (document ? [[name, source] as const] : [])))
    return all
      .flat()
      .map((skill): CatalogueSkill => {
        const winner = used.get(skill.name)
        return { ...skill, shadowedBy: skill.document === undefined || winner === skill.source ? null : (winner ?? null) }
      })
      .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : orderOf(one) - orderOf(other)))
  }
  return {
    store,
    list,
    forget(userId) {
      const prefix = `${handles.get(userId) ?? ''}/`
      // One at work looks again when it has ended.
      for (const [key, each] of stores) if (key.startsWith(prefix) && !each.isAtWork()) stores.delete(key)
    },
    async enabled(owner, names) {
      if (names.length === 0) return []
      const wanted = new Set(names)
      return (await list(owner)).filter(
        ({ name, document, shadowedBy }) => document !== undefined && shadowedBy === null && (wanted.has('*') || wanted.has(name)),
      )
    },
  }
}

const orderOf = ({ source }: { readonly source: SkillSource }): number => skillSources.indexOf(source)

/** Remembers the newest entries alone, of those that may be forgotten. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, mayGo: (value: Value) => boolean): void {
  map.set(key, value)
  if (map.size <= maxKept) return
  for (const [old, each] of map)
    if (old !== key && mayGo(each)) {
      map.delete(old)
      return
    }
}
