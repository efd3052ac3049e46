import type { BigIntStats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { orAbsent, type PathOfDescriptor } from '../disk/index.js'

/** The folders of one user, or of a part of one user's files: nothing that is done in it leads out of it. */
export interface FileTree {
  /** The real path of the folder of all users; `undefined` while there is none. Links above it, and it itself, are the operator's. */
  users(): Promise<string | undefined>
  /** `users` as it was configured. */
  readonly usersFolder: string
  /** The names from `users` down to the root of the tree, each a real folder where it exists. */
  readonly rootNames: readonly string[]
  readonly locate: PathOfDescriptor
  /** Whether links below the root are followed, inside of it. */
  readonly links: 'follow' | 'refuse'
}

/** The names of a user's folders, `Account.handle`. */
const handlePattern = /^[a-z][a-z0-9_-]{0,63}$/

/** Whether a folder among those of all users can be one's own. */
export const isHandle = (name: string): boolean => handlePattern.test(name)

/** Makes one. @throws `path_invalid` */
export function createFileTree(options: {
  readonly usersFolder: string
  readonly locate: PathOfDescriptor
  readonly handle: string
  /** Below the user's folder. */
  readonly names: readonly string[]
  readonly links: FileTree['links']
}): FileTree {
  const { usersFolder, locate, handle, names, links } = options
  if (!isHandle(handle)) throw userPathInvalidError.create({ path: handle, problem: 'is not the name of a user’s folder' })
  return { users: () => orAbsent(realpath(usersFolder)), usersFolder, rootNames: [handle, ...names], locate, links }
}

/** The name of the user's folder that a tree belongs to. */
export const ownerOf = (tree: FileTree): string => tree.rootNames[0] ?? ''

/** The bytes that are free once a name is gone; `undefined` where that cannot be said. */
export const bytesOf = (found: BigIntStats): number | undefined => {
  if (found.isDirectory()) return undefined
  return found.isFile() && found.nlink === 1n ? Number(found.size) : 0
}

/** The real path that the root of a tree has, if it exists. */
export const rootOf = (users: string, tree: FileTree): string => path.join(users, ...tree.rootNames)
