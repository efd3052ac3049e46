import { Type, validate } from '@agent-service/sdk'
import type { SkillFolder } from '../folders/skill-folder.js'
import { isSkillName } from '../format/parse-skill.js'

const journalSchema = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  name: Type.String({ maxLength: 64 }),
  change: Type.Union([Type.Literal('install'), Type.Literal('remove')]),
})

/** A change that has been decided. It is carried out to its end, by the next process if need be. */
export interface Journal {
  readonly id: string
  readonly name: string
  readonly change: 'install' | 'remove'
}

/** The rooms of a place beside its skills. No skill has such a name. */
export const rooms = { journal: '.journal.json', staging: '.staging', trash: '.trash', locks: '.lock' } as const

export const lockPath = (name: string): string => `${rooms.locks}/${name}.json`
/** The files of a skill that is being installed. */
export const stagedSkill = (id: string): string => `${rooms.staging}/${id}/skill`
/** Its lock. */
export const stagedLock = (id: string): string => `${rooms.staging}/${id}/lock.json`

/**
 * Decides a change: from the moment that this is written, it happens. Before, nothing has happened.
 */
export const writeJournal = (folder: SkillFolder, journal: Journal): Promise<void> =>
  folder.write(rooms.journal, new TextEncoder().encode(JSON.stringify(journal)), {})

/** Carries out what has been decided, from whichever step it had come to. May be repeated. */
export async function finishJournal(folder: SkillFolder): Promise<void> {
  const journal = readJournal(await folder.read(rooms.journal))
  if (journal === undefined) return
  const { id, name, change } = journal
  const trash = `${rooms.trash}/${id}`
  if (change === 'remove') {
    if (await folder.stat(name)) await folder.move(name, trash)
    await folder.remove(lockPath(name))
  } else {
    if (await folder.stat(stagedSkill(id))) {
      if (await folder.stat(name)) await folder.move(name, trash)
      await folder.move(stagedSkill(id), name)
    }
    const lock = await folder.read(stagedLock(id))
    if (lock) await folder.write(lockPath(name), lock, {})
  }
  await folder.remove(rooms.journal)
  await folder.remove(`${rooms.staging}/${id}`)
  await folder.remove(trash)
}

/** Removes what was being prepared when a process ended, and had not been decided. */
export async function clearLeftovers(folder: SkillFolder): Promise<void> {
  for (const room of [rooms.staging, rooms.trash]) if (await folder.stat(room)) await folder.remove(room)
}

function readJournal(bytes: Uint8Array | undefined): Journal | undefined {
  if (bytes === undefined) return undefined
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const problems = validate(journalSchema, value)
  if (problems.length > 0 || !isSkillName((value as Journal).name))
    throw new Error(`“${rooms.journal}” of a folder of skills is damaged. Remove it.`)
  return value as Journal
}
