import { setImmediate } from 'node:timers/promises'
import type { UserFileEntry, UserFolder } from '@agent-service/sdk/services/user-files'

/** Folders that a walk below another folder leaves out: history, packages, temporary files. */
export const skippedFolders: ReadonlySet<string> = new Set(['.git', '.tmp', '.venv', 'node_modules'])

/** How long a walk holds the event loop at a time, in milliseconds, not counting one entry. */
const turnMs = 8

/** How far a walk goes. */
export interface WalkLimits {
  /** The most names that are read. */
  readonly names: number
  readonly signal: AbortSignal
  /** Whether a folder is entered. Default: every folder. */
  readonly enters?: (folder: UserFileEntry) => boolean
}

/** How a walk ended. */
export interface WalkEnd {
  /** It stopped at its limit. */
  readonly cut: boolean
  /** How many names no path can contain. */
  readonly unnameable: number
}

/**
 * Everything below a folder, each folder before its contents, in the order of names. Links are
 * listed and never followed.
 */
export async function* walk(folder: UserFolder, path: string, limits: WalkLimits): AsyncGenerator<UserFileEntry, WalkEnd> {
  const { names, signal, enters = () => true } = limits
  /** Open folders, the innermost last, each with the name after which to continue. */
  const open: { readonly path: string; items: readonly UserFileEntry[]; index: number; next: string | undefined }[] = []
  let seen = 0
  let turnBegan = performance.now()
  let unnameable = 0
  const load = async (at: string, after?: string) => {
    const page = await folder.list(at, { signal, ...(after === undefined ? {} : { after }) })
    if (after === undefined) unnameable += page?.unnameable ?? 0
    return { items: page?.items ?? [], next: page?.next }
  }
  open.push({ path, index: 0, ...withNext(await load(path)) })
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    signal.throwIfAborted()
    const entry = inner.items[inner.index]
    inner.index += 1
    if (!entry) {
      if (inner.next === undefined) open.pop()
      else Object.assign(inner, { index: 0 }, withNext(await load(inner.path, inner.next)))
      continue
    }
    if (performance.now() - turnBegan > turnMs) {
      await setImmediate()
      turnBegan = performance.now()
    }
    seen += 1
    if (seen > names) return { cut: true, unnameable }
    yield entry
    if (entry.kind === 'folder' && enters(entry)) open.push({ path: entry.path, index: 0, ...withNext(await load(entry.path)) })
  }
  return { cut: false, unnameable }
}

const withNext = ({ items, next }: { readonly items: readonly UserFileEntry[]; readonly next: string | undefined }) => ({ items, next })

const maxFilesOfFolder = 1_000

/**
 * The paths of everything in a folder except folders; `undefined` if there are more than one call
 * may ask about.
 */
export async function filesBelow(folder: UserFolder, path: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const files: string[] = []
  const entries = walk(folder, path, { names: 10 * maxFilesOfFolder, signal })
  for (;;) {
    const { done, value } = await entries.next()
    if (done) return value.cut ? undefined : files
    if (value.kind !== 'folder') files.push(value.path)
    if (files.length > maxFilesOfFolder) return undefined
  }
}
