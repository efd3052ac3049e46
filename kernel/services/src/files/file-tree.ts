import type { BigIntStats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { orAbsent, type PathOfDescriptor } from './disk/index.js'

/** A tree of one user's folders. No operation in it reaches anything outside. */
export interface FileTree {
  /**
   * The real path of the folder of all users; `undefined` if it does not exist. It and the links
   * above it are the operator's.
   */
  users(): Promise<string | undefined>
  /** `users` as it was configured. */
  readonly usersFolder: string
  /** The names from `users` down to the root of the tree, each a real folder where it exists. */
  readonly rootNames: readonly string[]
  readonly locate: PathOfDescriptor
  /** Whether links below the root are followed, as long as they stay inside it. */
  readonly links: 'follow' | 'refuse'
}

/** The names of a user's folders, `Account.handle`. */
const handlePattern = /^[a-z][a-z0-9_-]{0,63}$/

export const isHandle = (name: string): boolean => handlePattern.test(name)

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

export const ownerOf = (tree: FileTree): string => tree.rootNames[0] ?? ''

/**
 * The bytes that are freed by removing an entry; `undefined` for a folder, whose size is not known.
 */
export const bytesOf = (found: BigIntStats): number | undefined => {
  if (found.isDirectory()) return undefined
  return found.isFile() && found.nlink === 1n ? Number(found.size) : 0
}

/** The real path of the root of a tree, if it exists. */
export const rootOf = (users: string, tree: FileTree): string => path.join(users, ...tree.rootNames)
