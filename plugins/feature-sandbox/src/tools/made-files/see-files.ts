import { signalWithin } from '@agent-service/sdk/async'
import type { UserFileEntry, UserFolder } from '@agent-service/sdk/services/user-files'

/** What a look at a workspace may cost. */
export interface LookLimits {
  /** The most names that are kept. */
  readonly names: number
  /** How long it takes at most, but for the page of a folder that is being read, in milliseconds. */
  readonly ms: number
}

/** The entries of the folders that were read whole, by path and name. */
export type SeenFiles = ReadonlyMap<string, ReadonlyMap<string, UserFileEntry>>

/** Folders whose files are of no interest to a person: packages and what programs keep for themselves. Hidden ones are left out too. */
const skippedFolders: ReadonlySet<string> = new Set(['node_modules', '__pycache__', '__MACOSX', 'site-packages', 'venv', 'env'])
/** What people attached to chats. */
const attachmentsFolder = 'attachments'
/** The sign of a virtual environment, whatever its name is. */
const environmentFile = 'pyvenv.cfg'

/**
 * Looks at the files of a workspace, level by level, so that those near its top are seen first. What lies beyond the limits
 * is left out: a folder is seen whole or not at all. Follows no links, and enters a folder only if `enters` allows it.
 * Rejects only with the reason of the signal.
 */
export async function seeFiles(
  folder: Pick<UserFolder, 'list'>,
  { limits, signal, enters = () => true }: { readonly limits: LookLimits; readonly signal: AbortSignal; enters?(path: string): boolean },
): Promise<SeenFiles> {
  const seen = new Map<string, ReadonlyMap<string, UserFileEntry>>()
  const limited = signalWithin(limits.ms, signal)
  let left = limits.names
  const waiting = ['']
  for (const path of waiting) {
    const entries = await entriesOf(folder, path, { most: left, signal: limited })
    signal.throwIfAborted()
    if (limited.aborted) break
    if (!entries || entries.some(({ name }) => name === environmentFile)) continue
    left -= entries.length
    seen.set(path, new Map(entries.map((entry) => [entry.name, entry])))
    for (const entry of entries) if (isEntered(entry) && enters(entry.path)) waiting.push(entry.path)
  }
  return seen
}

const isEntered = ({ kind, name, path }: UserFileEntry): boolean =>
  kind === 'folder' && !name.startsWith('.') && !skippedFolders.has(name) && path !== attachmentsFolder

/** All entries of a folder; `undefined` if it has more, is gone, or cannot be read, as a program may have made it. */
async function entriesOf(
  folder: Pick<UserFolder, 'list'>,
  path: string,
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): Promise<readonly UserFileEntry[] | undefined> {
  const entries: UserFileEntry[] = []
  let after: string | undefined
  try {
    do {
      signal.throwIfAborted()
      const page = await folder.list(path, { signal, ...(after !== undefined && { after }) })
      if (!page) return undefined
      entries.push(...page.items)
      if (entries.length > most) return undefined
      after = page.next
    } while (after !== undefined)
    return entries
  } catch {
    // What cannot be read is not named; an abort is looked for by the caller.
    return undefined
  }
}
