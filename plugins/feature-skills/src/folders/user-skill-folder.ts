import { type UserFiles, type UserFilesOwner, userFileChangedError, userFileConflictError } from '@agent-service/sdk/services/user-files'
import { skillFileChangedError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { FolderEntry, SkillFolder } from './skill-folder.js'

/** The subsystem of this plugin below a user's folder. */
export const skillsSubsystem = 'skills'

/** A folder of skills of one person, or of one agent of that person. Counts against the person's quota. */
export function createUserSkillFolder(files: UserFiles, owner: UserFilesOwner, path: string): SkillFolder {
  const folder = files.folder(owner, { subsystem: skillsSubsystem, path, links: 'refuse' })
  return {
    async list(at, max) {
      const page = await folder.list(at, { limit: Math.min(max, 1_000) })
      return (page?.items ?? []).map(entryOf)
    },
    async stat(at) {
      const entry = await folder.stat(at)
      return entry && entryOf(entry)
    },
    async read(at) {
      const entry = await folder.stat(at)
      if (entry?.kind !== 'file' || entry.size > limits.maxFileBytes) return undefined
      return (await folder.read(at))?.bytes
    },
    async write(at, bytes, options) {
      try {
        await folder.write(at, bytes, options)
      } catch (error) {
        if (userFileChangedError.isInstance(error)) throw skillFileChangedError.create({ path: at }, { cause: error })
        throw error
      }
    },
    async move(from, to) {
      if ((await folder.stat(to)) !== undefined) throw userFileConflictError.create({ path: to, reason: 'already exists' })
      await folder.move(from, to)
    },
    async remove(at) {
      await folder.remove(at, { recursive: true })
    },
    hostPath: async (at) => {
      const root = await files.hostFolder(owner, { subsystem: skillsSubsystem, path: [path, at].filter((part) => part !== '').join('/') })
      return root
    },
  }
}

type Listed = Awaited<ReturnType<ReturnType<UserFiles['folder']>['stat']>> & object

const entryOf = ({ name, kind, size, modifiedAt, etag = '' }: Listed): FolderEntry => ({
  ...{ name, size, modifiedAt, etag },
  kind: kind === 'link' ? 'other' : kind,
})
