import { vaultContentInvalidError, vaultCursorInvalidError } from '@agent-service/sdk/contracts/vault-connector'
import { type Api, isRecord, vault } from './api.js'
import { encodePath, type Server } from './members.js'

/** Folders that one page may list beyond those that lead to where it begins. */
const maxFolders = 60
/** Folders in folders. */
const maxDepth = 32
/** The longest path in a list, in bytes: a cursor has to hold it. */
const maxPathBytes = 1_000
/** How long one page may take before it ends with what it has. */
const maxPageMs = 20_000

/** What one page walks through. */
export interface Walk {
  readonly api: Api
  readonly server: Server
  readonly signal: AbortSignal
  readonly limit: number
  readonly cursor?: string
  /** Milliseconds since 1970. */
  now(): number
  /** Whether an id is wanted. */
  isWanted(id: string): boolean
  /** Why the top folder is refused. */
  refused(): Promise<Error>
}

/** The ids of one page. */
export interface WalkedPage {
  readonly ids: readonly string[]
  readonly nextCursor?: string
}

interface Walker extends Walk {
  readonly ids: string[]
  readonly begin: number
  folders: number
}

/** Where a walk stopped: the keys that lead to the next entry, folders with a slash at the end. */
type Next = readonly string[]

/**
 * The secrets below a mount, folder by folder, each folder's entries in the order of their names.
 * Ends after `limit` ids, {@link maxFolders} folders or {@link maxPageMs}; the cursor names the next entry, which need
 * not exist any more. A folder that the token may not list is left out, but for the top one.
 */
export async function walk(options: Walk): Promise<WalkedPage> {
  const { cursor } = options
  const walker: Walker = { ...options, ids: [], folders: 0, begin: options.now() }
  const next = await walkFolder(walker, [], cursor === undefined ? [] : parseCursor(cursor))
  return { ids: walker.ids, ...(next === undefined ? {} : { nextCursor: writeCursor(next) }) }
}

/** Returns where the walk stopped, or undefined when the folder is done. */
async function walkFolder(walker: Walker, folder: readonly string[], from: Next): Promise<Next | undefined> {
  const isLeading = from.length > 0
  if (!isLeading) {
    const isLate = walker.folders > 0 && walker.now() - walker.begin > maxPageMs
    if (isLate || walker.folders >= maxFolders) return folder
    walker.folders += 1
  }
  const [first = '', ...inside] = from
  for (const key of await keysOf(walker, folder)) {
    if (key < first) continue
    const path = [...folder, key]
    const id = path.join('')
    if (Buffer.byteLength(id) > maxPathBytes) continue
    if (key.endsWith('/')) {
      if (folder.length >= maxDepth) continue
      const stopped = await walkFolder(walker, path, key === first ? inside : [])
      if (stopped !== undefined) return stopped
    } else {
      if (walker.ids.length >= walker.limit) return path
      if (walker.isWanted(id)) walker.ids.push(id)
    }
  }
  return undefined
}

/** The names in a folder in their order. Names that no path could have are left out. */
async function keysOf({ api, server, signal, refused }: Walker, folder: readonly string[]): Promise<readonly string[]> {
  const path = folder.map((key) => encodeURIComponent(key.slice(0, -1))).join('/')
  const { status, body } = await api({ path: `${server.mount}/metadata/${path}?list=true` }, signal)
  // An empty folder is not found.
  if (status === 404) return []
  if (status === 403) {
    if (folder.length === 0) throw await refused()
    return []
  }
  const keys = isRecord(body['data']) ? body['data']['keys'] : undefined
  if (status >= 400 || !Array.isArray(keys) || !keys.every((key) => typeof key === 'string'))
    throw vaultContentInvalidError.create({ vault, reason: 'its list of secrets is not one of KV version 2' })
  const usable = keys.filter(isKey)
  return inOrder(usable)
}

/** Servers list in order, but nothing makes them. */
function inOrder(keys: readonly string[]): readonly string[] {
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)
  return isSorted ? keys : [...new Set(keys)].sort((a, b) => (a < b ? -1 : 1))
}

const writeCursor = (next: Next): string => Buffer.from(JSON.stringify(next)).toString('base64url')

function parseCursor(cursor: string): Next {
  const invalid = (): Error => vaultCursorInvalidError.create({ vault })
  let next: unknown
  try {
    next = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch (error) {
    throw vaultCursorInvalidError.create({ vault }, { cause: error })
  }
  if (!Array.isArray(next) || next.length === 0 || next.length > maxDepth + 1) throw invalid()
  const isPath = next.every(
    (key: unknown, index) => typeof key === 'string' && isKey(key) && (index === next.length - 1 || key.endsWith('/')),
  )
  if (!isPath || writeCursor(next as Next) !== cursor) throw invalid()
  return next as Next
}

const isKey = (key: string): boolean => encodePath(key.endsWith('/') ? key.slice(0, -1) : key)?.includes('/') === false
