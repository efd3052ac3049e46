import { stat } from 'node:fs/promises'
import path from 'node:path'
import { isBelow } from '../confinement/system-paths.js'
import type { SandboxUser } from '../machine/sandbox-users.js'

/** What a user cannot reach, although it may be given to its processes. */
export interface ClosedFolders {
  /** The outermost folders that the user may not enter. None lies in another. */
  readonly covers: readonly string[]
  /** The outermost of the needed paths below them. None lies in another. */
  readonly shown: readonly string[]
}

/** `null`: there is no such path. */
type Info = { readonly uid: number; readonly gid: number; readonly mode: number } | null

/** Looks at every folder above the needed paths. A service keeps its data in a folder that it alone may enter. */
export async function findClosedFolders({ uid, gid }: SandboxUser, needed: readonly string[]): Promise<ClosedFolders> {
  const seen = new Map<string, Promise<Info>>()
  const look = (folder: string): Promise<Info> => {
    const info = seen.get(folder) ?? stat(folder).catch(() => null)
    seen.set(folder, info)
    return info
  }
  const mayEnter = async (folder: string): Promise<boolean> => {
    const info = await look(folder)
    if (info === null) return true
    return (info.mode & (info.uid === uid ? 0o100 : info.gid === gid ? 0o010 : 0o001)) !== 0
  }
  const closed: string[] = []
  const below: string[] = []
  for (const each of new Set(needed)) {
    for (const folder of foldersAbove(each)) {
      if (await mayEnter(folder)) continue
      closed.push(folder)
      if ((await look(each)) !== null) below.push(each)
      break
    }
  }
  return { covers: outermost(closed), shown: outermost(below) }
}

/** From the outermost to the one that holds it. */
function foldersAbove(file: string): readonly string[] {
  const parent = path.dirname(file)
  return parent === file ? [] : [...foldersAbove(parent), parent]
}

/** Those that lie in no other. */
export const outermost = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].sort().filter((each, _, all) => !all.some((other) => other !== each && isBelow(each, other)))
