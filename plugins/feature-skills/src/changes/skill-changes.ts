import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { SkillMetrics } from '../agents/skill-metrics.js'
import { type PackedSkill, packFiles, readArchive } from '../archives/read-archive.js'
import { type CatalogueOwner, type SkillCatalogue, skillSources } from '../catalogue/catalogue.js'
import { skillExistsError, skillNotFetchedError, skillRefusedError } from '../common/errors.js'
import type { SkillFile } from '../common/file.js'
import { skillFileName } from '../common/limits.js'
import type { FetchArchive } from '../downloads/fetch-archive.js'
import { templateOf } from '../format/template.js'
import { hashesOf, type SkillLock, type SkillOrigin, wholeHash } from '../store/lock-file.js'
import type { SkillStore } from '../store/skill-store.js'

/** A place that its owner may change. `bundled` is never one. */
export interface ChangePlace {
  readonly source: 'shared' | 'user' | 'agent'
  /** Who changes it, and the agent of the source `agent`. */
  readonly owner: CatalogueOwner
}

/** Where an installation comes from. */
export type NewSkill =
  | { readonly kind: 'archive'; readonly bytes: Uint8Array; readonly from: string | null }
  | { readonly kind: 'folder'; readonly files: readonly SkillFile[]; readonly from: string | null }
  | { readonly kind: 'url'; readonly url: string }

/** What an address gives now. */
export interface AddressCheck {
  readonly hasChanged: boolean
  readonly sha256: string
  /** What `metadata.version` of its SKILL.md says. */
  readonly version: string | undefined
}

/** What people do with skills. Each change is in the audit log and on the stream of who made it. */
export interface SkillChanges {
  /** Reads a skill as {@link install} does, and changes nothing. @throws the same. */
  examine(skill: NewSkill, signal: AbortSignal): Promise<PackedSkill>
  /**
   * Without `replace` a skill gets a name that none of the place has, and none that it would be used
   * in the stead of. @throws `skill_exists`, `skill_refused`, and what fetching and writing throw.
   */
  install(place: ChangePlace, skill: NewSkill, options: { readonly replace: boolean; readonly signal: AbortSignal }): Promise<SkillLock>
  create(place: ChangePlace, what: { readonly name: string; readonly description: string }, signal: AbortSignal): Promise<SkillLock>
  /** Whether the address that a skill came from now gives another one than was installed. Changes nothing. */
  checkAddress(place: ChangePlace, name: string, signal: AbortSignal): Promise<AddressCheck>
  /** Fetches a skill again from where it came. */
  update(place: ChangePlace, name: string, signal: AbortSignal): Promise<{ readonly changed: boolean; readonly lock: SkillLock }>
  writeFile(
    place: ChangePlace,
    name: string,
    file: SkillFile,
    options: { readonly ifMatch?: string; readonly signal: AbortSignal },
  ): ReturnType<SkillStore['writeFile']>
  removeFile(place: ChangePlace, name: string, path: string): Promise<void>
  remove(place: ChangePlace, name: string): Promise<void>
  /** The store of a place that exists. @throws `not_found` for an agent that its user does not have. */
  storeOf(place: ChangePlace | { readonly source: 'bundled'; readonly owner: CatalogueOwner }): Promise<SkillStore>
}

export interface ChangeParts {
  readonly catalogue: SkillCatalogue
  readonly agents: Pick<Agents, 'details'>
  readonly database: Pick<Database, 'transaction'>
  readonly events: Pick<Events, 'record'>
  readonly audit: Pick<Audit, 'record'>
  readonly metrics: SkillMetrics
  readonly fetchArchive: FetchArchive
}

export function createSkillChanges(parts: ChangeParts): SkillChanges {
  const { catalogue, agents, metrics } = parts
  const storeOf: SkillChanges['storeOf'] = async ({ source, owner }) => {
    if (source === 'agent' && (owner.agentId === undefined || (await agents.details(owner.userId, owner.agentId)) === undefined))
      throw notFoundError.create({ what: 'agent' })
    return catalogue.store(source, owner)
  }
  const put = async (place: ChangePlace, skill: PackedSkill, origin: SkillOrigin, options: { replace: boolean; signal: AbortSignal }) => {
    const lock = await (await storeOf(place)).install(skill, { origin, ...options })
    await report(parts, place, {
      name: lock.name,
      change: origin.kind === 'created' ? 'created' : 'installed',
      origin,
      sha256: lock.sha256,
    })
    return lock
  }
  const packed = async (skill: NewSkill, signal: AbortSignal): Promise<PackedSkill> => {
    try {
      if (skill.kind === 'folder') return packFiles(skill.files)
      return await readArchive(skill.kind === 'url' ? await parts.fetchArchive(skill.url, signal) : skill.bytes, { signal })
    } catch (error) {
      metrics.changed('refused')
      throw error
    }
  }
  /** What the address of a skill gives now. @throws `skill_not_fetched`, `skill_refused`, and what fetching throws. */
  const fetchAgain = async (store: SkillStore, name: string, signal: AbortSignal) => {
    const { lock: before, sha256 } = await store.changes(name)
    if (before?.origin.kind !== 'url' || before.origin.from === null) throw skillNotFetchedError.create({ name })
    const skill = await packed({ kind: 'url', url: before.origin.from }, signal)
    if (skill.document.name !== name) throw skillRefusedError.create({ reason: `the address now gives a skill “${skill.document.name}”` })
    return { before, sha256, skill }
  }
  /** An archive chooses its name: with that of another skill it would be of agents that no person has given it to. @throws `skill_exists`. */
  const checkPlaceOf = async (name: string, { source, owner }: ChangePlace): Promise<void> => {
    const earlier = skillSources.slice(0, skillSources.indexOf(source))
    const taken = (await catalogue.list(owner)).findLast(
      (each) => each.name === name && each.document !== undefined && earlier.includes(each.source),
    )
    if (taken) throw skillExistsError.create({ name, source: taken.source })
  }
  return {
    storeOf,
    examine: packed,
    async install(place, skill, { replace, signal }) {
      await storeOf(place)
      const origin = { kind: skill.kind, from: skill.kind === 'url' ? skill.url : skill.from }
      const read = await packed(skill, signal)
      if (!replace) await checkPlaceOf(read.document.name, place)
      return put(place, read, origin, { replace, signal })
    },
    async create(place, what, signal) {
      const bytes = new TextEncoder().encode(templateOf(what))
      return put(place, packFiles([{ path: skillFileName, bytes }]), { kind: 'created', from: null }, { replace: false, signal })
    },
    async checkAddress(place, name, signal) {
      const { before, skill } = await fetchAgain(await storeOf(place), name, signal)
      const sha256 = wholeHash(hashesOf(skill.files))
      return { hasChanged: sha256 !== before.sha256, sha256, version: skill.document.metadata['version'] }
    },
    async update(place, name, signal) {
      const { before, sha256, skill } = await fetchAgain(await storeOf(place), name, signal)
      const lock = await put(place, skill, before.origin, { replace: true, signal })
      return { changed: lock.sha256 !== sha256, lock }
    },
    async writeFile(place, name, file, options) {
      const written = await (await storeOf(place)).writeFile(name, file, options)
      await report(parts, place, { name, change: 'edited', path: file.path })
      return written
    },
    async removeFile(place, name, path) {
      await (await storeOf(place)).removeFile(name, path)
      await report(parts, place, { name, change: 'edited', path })
    },
    async remove(place, name) {
      await (await storeOf(place)).remove(name)
      await report(parts, place, { name, change: 'removed' })
    },
  }
}

interface Change {
  readonly name: string
  readonly change: 'created' | 'installed' | 'edited' | 'removed'
  readonly origin?: SkillOrigin
  readonly sha256?: string
  readonly path?: string
}

async function report({ database, events, audit, metrics }: ChangeParts, { source, owner }: ChangePlace, what: Change): Promise<void> {
  const { name, change, origin, sha256, path } = what
  const agent = source === 'agent' && owner.agentId !== undefined ? { agent_id: owner.agentId } : {}
  metrics.changed(change)
  await database.transaction(async (transaction) => {
    events.record(transaction, { userId: owner.userId, name: 'skill.updated', data: { name, source, change, ...agent } })
    audit.record(transaction, {
      kind: `skill.${change}`,
      subject: name,
      details: {
        ...{ source, ...agent },
        ...(origin && { origin: origin.kind, ...(origin.kind === 'url' && { url: (origin.from ?? '').slice(0, 500) }) }),
        ...(sha256 !== undefined && { sha256 }),
        ...(path !== undefined && { path }),
      },
    })
  })
}
