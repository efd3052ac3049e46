import { randomUUID } from 'node:crypto'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { PackedSkill } from '../archives/read-archive.js'
import { skillExistsError, skillInvalidError, skillRefusedError, tooManySkillsError } from '../common/errors.js'
import type { SkillFile } from '../common/file.js'
import { isSkillFile, limits, skillFileName } from '../common/limits.js'
import type { SkillFolder } from '../folders/skill-folder.js'
import { caseKey, composedPath, pathProblem } from '../format/check-path.js'
import { parseSkill, type SkillDocument, type SkillProblem } from '../format/parse-skill.js'
import { clearLeftovers, finishJournal, lockPath, rooms, stagedLock, stagedSkill, writeJournal } from './journal.js'
import { type ListedFile, listFiles } from './list-files.js'
import { hashesOf, lockOf, readLock, type SkillLock, type SkillOrigin, wholeHash } from './lock-file.js'
import { createTurns } from './turns.js'

/** A skill of a place: with a document if it can be used, with a problem if not. */
export interface StoredSkill {
  readonly name: string
  readonly document: SkillDocument | undefined
  readonly problem: SkillProblem | undefined
  /** Of SKILL.md, in milliseconds since 1970; 0 if it is missing. */
  readonly modifiedAt: number
}

/** How a skill differs from what was installed. Paths, each list sorted. */
export interface SkillChanges {
  readonly lock: SkillLock | undefined
  readonly sha256: string
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/** The skills of one place. */
export interface SkillStore {
  /**
   * All of them by name. Looks at the folder again if the last look is older than a second; reads
   * only what has changed since.
   */
  list(): Promise<readonly StoredSkill[]>
  files(name: string): Promise<readonly ListedFile[]>
  /** `undefined` for anything but a file of that skill. @throws `not_found` for the skill. */
  read(name: string, path: string): Promise<{ readonly bytes: Uint8Array; readonly etag: string } | undefined>
  lock(name: string): Promise<SkillLock | undefined>
  /** @throws `not_found`. */
  changes(name: string): Promise<SkillChanges>
  /**
   * Installs a skill, whole or not at all, whenever the process ends. @throws `skill_exists` unless
   * `replace`, `too_many_skills`, and what writing throws.
   */
  install(
    skill: PackedSkill,
    options: { readonly origin: SkillOrigin; readonly replace: boolean; readonly signal: AbortSignal },
  ): Promise<SkillLock>
  /** Writes a file of a skill. @throws `not_found`, `skill_invalid`, `skill_refused`, `precondition_failed`. */
  writeFile(name: string, file: SkillFile, options: { readonly ifMatch?: string; readonly signal: AbortSignal }): Promise<ListedFile>
  /** Removes a file of a skill, not SKILL.md. @throws `not_found`, `skill_refused`. */
  removeFile(name: string, path: string): Promise<void>
  /** @throws `not_found`. */
  remove(name: string): Promise<void>
  /** Whether something is being installed: another store of this place would take it for a leftover. */
  isAtWork(): boolean
  /** The absolute folder of a skill on this machine. */
  hostPath(name: string): Promise<string>
}

/** How long a look at a folder counts. */
const freshMs = 1_000
/** Of folders of one place; those beyond the most skills are named, and not read. */
const maxListed = 1_000
const tooMany = `it is not read, since one place has at most ${limits.maxSkills} skills; move some to another place`

interface Known {
  readonly etag: string
  readonly skill: StoredSkill
}

/** Keeps skills in a folder. `writable` false: nothing is ever written, not even what a crash left. */
export function createSkillStore(
  folder: SkillFolder,
  { clock, writable }: { readonly clock: Pick<Clock, 'monotonic' | 'now'>; readonly writable: boolean },
): SkillStore {
  const turns = createTurns()
  const known = new Map<string, Known>()
  let listed: readonly StoredSkill[] = []
  let lookedAt: number | undefined
  let recovered = !writable
  let cleared = false
  let atWork = 0

  /** Puts right what an earlier process left, once. */
  const recover = async (): Promise<void> => {
    if (recovered) return
    await finishJournal(folder)
    if (!cleared) await clearLeftovers(folder)
    cleared = true
    recovered = true
  }
  const look = async (): Promise<readonly StoredSkill[]> => {
    await recover()
    const names = (await folder.list('', maxListed)).filter(({ kind, name }) => kind === 'folder' && !name.startsWith('.'))
    const skills: StoredSkill[] = []
    for (const { name } of names.slice(0, limits.maxSkills)) skills.push(await readSkill(folder, name, known))
    skills.push(...names.slice(limits.maxSkills).map(({ name }) => brokenSkill(name, 0, tooMany)))
    for (const name of known.keys()) if (!skills.some((skill) => skill.name === name)) known.delete(name)
    listed = skills
    lookedAt = clock.monotonic()
    return listed
  }
  const list = (): Promise<readonly StoredSkill[]> => {
    if (lookedAt !== undefined && clock.monotonic() - lookedAt < freshMs) return Promise.resolve(listed)
    return turns.run(async () => (lookedAt !== undefined && clock.monotonic() - lookedAt < freshMs ? listed : look()))
  }
  const demand = async (name: string): Promise<void> => {
    if (!(await list()).some((skill) => skill.name === name)) throw notFoundError.create({ what: 'skill' })
  }
  /** Carries out a change alone; the next reader looks again. */
  const changing = <Result>(work: () => Promise<Result>): Promise<Result> =>
    turns.run(async () => {
      await recover()
      try {
        return await work()
      } catch (error) {
        // What has been decided is finished by the next look.
        recovered = false
        throw error
      } finally {
        lookedAt = undefined
      }
    })

  return {
    list,
    async files(name) {
      await demand(name)
      return listFiles(folder, name)
    },
    async read(name, path) {
      await demand(name)
      if (pathProblem(path) !== undefined) return undefined
      const stored = await storedPath(folder, name, path)
      const entry = await folder.stat(`${name}/${stored}`)
      const bytes = entry?.kind === 'file' ? await folder.read(`${name}/${stored}`) : undefined
      return entry && bytes && { bytes, etag: entry.etag }
    },
    lock: async (name) => readLock(await folder.read(lockPath(name))),
    async changes(name) {
      await demand(name)
      const now: SkillFile[] = []
      for (const { path } of await listFiles(folder, name)) {
        const bytes = await folder.read(`${name}/${path}`)
        if (bytes) now.push({ path, bytes })
      }
      return changesSince(readLock(await folder.read(lockPath(name))), hashesOf(now))
    },
    async install(skill, { origin, replace, signal }) {
      const { name } = skill.document
      const id = randomUUID()
      const lock = lockOf(skill, origin, new Date(clock.now()).toISOString())
      const admit = async (): Promise<void> => {
        const there = await look()
        if (there.some((each) => each.name === name) ? !replace : (await folder.stat(name)) !== undefined)
          throw skillExistsError.create({ name })
        if (!replace && there.length >= limits.maxSkills) throw tooManySkillsError.create({ max: limits.maxSkills })
      }
      await turns.run(admit)
      atWork += 1
      try {
        for (const { path, bytes } of skill.files) await folder.write(`${stagedSkill(id)}/${path}`, bytes, { signal })
        await folder.write(stagedLock(id), new TextEncoder().encode(`${JSON.stringify(lock, null, 2)}\n`), { signal })
      } catch (error) {
        await folder.remove(`${rooms.staging}/${id}`)
        throw error
      } finally {
        atWork -= 1
      }
      await changing(async () => {
        await admit()
        await writeJournal(folder, { id, name, change: 'install' })
        await finishJournal(folder)
      })
      return lock
    },
    async writeFile(name, { path: given, bytes }, { ifMatch, signal }) {
      await demand(name)
      demandWritable(composedPath(given), bytes, name)
      return changing(async () => {
        const path = await storedPath(folder, name, given)
        const there = await listFiles(folder, name)
        if (!there.some((file) => file.path === path)) demandRoom(there, path)
        await folder.write(`${name}/${path}`, bytes, { signal, ...(ifMatch === undefined ? {} : { ifMatch }) })
        const entry = await folder.stat(`${name}/${path}`)
        return { path, size: bytes.byteLength, modifiedAt: entry?.modifiedAt ?? 0, etag: entry?.etag ?? '' }
      })
    },
    async removeFile(name, path) {
      await demand(name)
      if (path === skillFileName)
        throw skillRefusedError.create({ reason: `a skill without ${skillFileName} is none; remove the skill instead` })
      await changing(async () => {
        const stored = pathProblem(path) === undefined ? await storedPath(folder, name, path) : undefined
        if (stored === undefined || (await folder.stat(`${name}/${stored}`))?.kind !== 'file') throw notFoundError.create({ what: 'file' })
        await folder.remove(`${name}/${stored}`)
      })
    },
    async remove(name) {
      await demand(name)
      await changing(async () => {
        await writeJournal(folder, { id: randomUUID(), name, change: 'remove' })
        await finishJournal(folder)
      })
    },
    isAtWork: () => atWork > 0,
    hostPath: (name) => folder.hostPath(name),
  }
}

/**
 * The path that a file of a skill has on disk: folders that were copied by hand from macOS may have
 * decomposed names. A new file has the composed one.
 */
async function storedPath(folder: SkillFolder, name: string, path: string): Promise<string> {
  const composed = composedPath(path)
  for (const each of new Set([path, composed])) if ((await folder.stat(`${name}/${each}`)) !== undefined) return each
  return (await listFiles(folder, name)).find((file) => composedPath(file.path) === composed)?.path ?? composed
}

async function readSkill(folder: SkillFolder, name: string, known: Map<string, Known>): Promise<StoredSkill> {
  const file = await folder.stat(`${name}/${skillFileName}`)
  const before = known.get(name)
  if (file?.kind === 'file' && before?.etag === file.etag) return before.skill
  const skill = await readDocument(folder, name, file?.kind === 'file' ? file.modifiedAt : undefined)
  if (file?.kind === 'file') known.set(name, { etag: file.etag, skill })
  return skill
}

async function readDocument(folder: SkillFolder, name: string, modifiedAt: number | undefined): Promise<StoredSkill> {
  if (modifiedAt === undefined) {
    const other = (await folder.list(name, limits.maxFiles)).find((entry) => isSkillFile(entry.name))
    const cure = other && other.name !== skillFileName ? `; there is “${other.name}”, rename it` : ''
    return brokenSkill(name, 0, `the file is missing${cure}`)
  }
  const bytes = await folder.read(`${name}/${skillFileName}`)
  if (!bytes) return brokenSkill(name, modifiedAt, 'the file cannot be read, or is too large')
  const { document, problem } = parseSkill(bytes, name)
  return { name, document, problem, modifiedAt }
}

const brokenSkill = (name: string, modifiedAt: number, message: string): StoredSkill => ({
  ...{ name, document: undefined, modifiedAt },
  problem: { file: skillFileName, line: 1, message },
})

function changesSince(lock: SkillLock | undefined, now: SkillLock['files']): SkillChanges {
  const then = lock?.files ?? {}
  const paths = (files: SkillLock['files']): readonly string[] => Object.keys(files).sort()
  // A file may have the name of a member that every object has.
  const hashIn = (files: SkillLock['files'], path: string): string | undefined =>
    Object.hasOwn(files, path) ? files[path]?.sha256 : undefined
  return {
    ...{ lock, sha256: wholeHash(now) },
    added: lock ? paths(now).filter((path) => hashIn(then, path) === undefined) : [],
    changed: paths(now).filter((path) => hashIn(then, path) !== undefined && hashIn(then, path) !== hashIn(now, path)),
    removed: paths(then).filter((path) => hashIn(now, path) === undefined),
  }
}

function demandWritable(path: string, bytes: Uint8Array, name: string): void {
  const problem = pathProblem(path)
  if (problem !== undefined) throw skillRefusedError.create({ reason: problem })
  if (bytes.byteLength > limits.maxFileBytes)
    throw skillRefusedError.create({ reason: `a file has more than ${limits.maxFileBytes} bytes` })
  if (path !== skillFileName) return
  const parsed = parseSkill(bytes, name)
  if (parsed.problem) throw skillInvalidError.create({ file: path, line: parsed.problem.line, problem: parsed.problem.message })
}

function demandRoom(there: readonly ListedFile[], path: string): void {
  if (there.length >= limits.maxFiles) throw skillRefusedError.create({ reason: `it has ${limits.maxFiles} files already, the most` })
  if (there.reduce((sum, { size }) => sum + size, 0) > limits.maxSkillBytes)
    throw skillRefusedError.create({ reason: `its files have more than ${limits.maxSkillBytes} bytes` })
  const key = caseKey(path)
  if (there.some((file) => caseKey(file.path) === key))
    throw skillRefusedError.create({ reason: 'another file has this name, in another case' })
}
