import { limits } from '../common/limits.js'
import type { FolderEntry, SkillFolder } from '../folders/skill-folder.js'

/** A file of a skill as it is now. */
export interface ListedFile {
  /** Below the folder of the skill. */
  readonly path: string
  readonly size: number
  readonly modifiedAt: number
  readonly etag: string
}

/** All files of a skill, by path, at most as many as a skill may have. Links and devices are left out. */
export async function listFiles(folder: SkillFolder, name: string): Promise<readonly ListedFile[]> {
  const found: ListedFile[] = []
  const open: string[] = ['']
  let looked = 0
  for (let below = open.shift(); below !== undefined && looked < limits.maxEntries; below = open.shift()) {
    const entries: readonly FolderEntry[] = await folder.list(below === '' ? name : `${name}/${below}`, limits.maxFiles)
    looked += entries.length
    for (const { name: own, kind, size, modifiedAt, etag } of entries) {
      const path = below === '' ? own : `${below}/${own}`
      if (kind === 'folder' && path.split('/').length < limits.maxDepth) open.push(path)
      if (kind === 'file') found.push({ path, size, modifiedAt, etag })
    }
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1)).slice(0, limits.maxFiles)
}
