import { currentProfile } from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { createEffect, createSignal, type Setter } from 'solid-js'
import { at, isSame, isWithin, pathText, recordOf } from './schema.js'

/** What a person did with one setting, and the value in the file at that time. */
export interface Edit {
  readonly kind: 'set' | 'reset'
  readonly parts: readonly string[]
  readonly value?: unknown
  /** As it was typed, where that is not the value itself. */
  readonly text?: string
  /** Why it is no value yet. */
  readonly broken?: 'json' | 'number'
  readonly isSecret: boolean
  readonly base: unknown
}

export type Edits = Readonly<Record<string, Edit>>

/** The parts of a change as the API takes them. */
export interface Patch {
  readonly set: Readonly<Record<string, unknown>>
  readonly reset: readonly string[]
}

export interface EditStore {
  readonly edits: () => Edits
  /** Secrets that were typed before the page was loaded again. They are never stored. */
  readonly lostSecrets: () => readonly string[]
  /** Whether an earlier page left changes. */
  readonly wasRestored: () => boolean
  put(path: string, edit: Edit): void
  drop(path: string): void
  /** Removes an entry of a map: changes inside it are dropped. */
  removeEntry(parts: readonly string[], isSaved: boolean, base: unknown): void
  clear(): void
  /** Forgets edits that the file has meanwhile. Returns whether all of them were. */
  settle(configuration: Configuration): boolean
  /** Takes the current value of the file as the one that the edit replaces. */
  rebase(path: string, configuration: Configuration): void
}

interface Stored {
  readonly edits: Edits
  readonly secrets: readonly string[]
}

const storageKey = (): string => `console.settings.${currentProfile()?.id ?? ''}`

/**
 * The edits of this tab. Unless they are `passing`, they survive a reload; secrets, and texts that look as if they had one in
 * them, are never written to the browser's storage.
 */
export function createEdits(options: { readonly passing?: boolean } = {}): EditStore {
  const stored = options.passing === true ? { edits: {}, secrets: [] } : read()
  const [edits, setEdits] = createSignal<Edits>(stored.edits)
  const [lostSecrets, setLostSecrets] = createSignal(stored.secrets)
  if (options.passing !== true) createEffect(() => write(edits(), lostSecrets()))
  const [wasRestored, setRestored] = createSignal(Object.keys(stored.edits).length > 0)
  const forget = (path: string): void => void setLostSecrets((before) => before.filter((each) => each !== path))
  return {
    edits,
    lostSecrets,
    wasRestored,
    put: (path, edit) => {
      forget(path)
      setEdits((before) => ({ ...before, [path]: edit }))
    },
    drop: (path) => {
      forget(path)
      setEdits(({ [path]: _, ...rest }) => rest)
    },
    removeEntry: (parts, isSaved, base) => removeEntry(setEdits, parts, isSaved, base),
    clear: () => {
      setRestored(false)
      setLostSecrets([])
      setEdits({})
    },
    settle(configuration) {
      const before = Object.entries(edits())
      const open = before.filter(([, edit]) => !isInFile(edit, configuration))
      if (open.length < before.length) setEdits(Object.fromEntries(open))
      return open.length === 0
    },
    rebase: (path, configuration) =>
      void setEdits((before) => {
        const edit = before[path]
        return edit ? { ...before, [path]: { ...edit, base: at(configuration.saved, edit.parts) } } : before
      }),
  }
}

function removeEntry(setEdits: Setter<Edits>, parts: readonly string[], isSaved: boolean, base: unknown): void {
  const path = pathText(parts)
  setEdits((before) => {
    const others = Object.entries(before).filter(([each]) => !isWithin(each, path))
    const removal: readonly [string, Edit][] = isSaved ? [[path, { kind: 'reset', parts, isSecret: false, base }]] : []
    return Object.fromEntries([...others, ...removal])
  })
}

/** Whether the file already has what the edit would write. */
function isInFile({ kind, parts, value, isSecret, broken }: Edit, configuration: Configuration): boolean {
  if (isSecret || broken) return false
  const saved = at(configuration.saved, parts)
  if (kind === 'reset') return saved === undefined
  // An added entry needs nothing of its own once the file has it.
  return isSame(saved, value) || (isSame(value, {}) && saved !== undefined)
}

/** Whether someone else changed the setting since the edit began. */
export const isConflict = ({ parts, base }: Edit, configuration: Configuration): boolean => !isSame(at(configuration.saved, parts), base)

export const isConflictOf = (edit: Edit | undefined, configuration: Configuration): boolean =>
  edit !== undefined && isConflict(edit, configuration)

/** The added entries of maps. */
export const addedEntries = (edits: Edits): readonly (readonly string[])[] =>
  Object.values(edits).flatMap(({ kind, parts, value }) => (kind === 'set' && isSame(value, {}) ? [parts] : []))

/** The edits that change something: an added entry that has values is written by them. */
export const effectiveEdits = (edits: Edits): readonly (readonly [string, Edit])[] =>
  Object.entries(edits).filter(
    ([path, { kind, value }]) =>
      kind === 'reset' || !isSame(value, {}) || !Object.keys(edits).some((other) => other !== path && isWithin(other, path)),
  )

/** The change for the API. */
export function patchOf(edits: Edits): Patch {
  const all = effectiveEdits(edits).filter(([, { broken }]) => broken === undefined)
  return {
    set: Object.fromEntries(all.flatMap(([path, { kind, value }]) => (kind === 'set' ? [[path, value]] : []))),
    reset: all.flatMap(([path, { kind }]) => (kind === 'reset' ? [path] : [])),
  }
}

const mayBeSecret = /"[^"]*(secret|password|passwd|token(?!s)|credential|authorization|api_?key)[^"]*"|\/\/[^/\s]*:[^/\s]*@/i

const isStorable = ({ isSecret, value, text, base }: Edit): boolean =>
  !isSecret && !mayBeSecret.test(JSON.stringify([value ?? null, text ?? '', base ?? null]).replaceAll('\\"', '"'))

function write(edits: Edits, lost: readonly string[]): void {
  const entries = Object.entries(edits)
  const kept = entries.filter(([, edit]) => isStorable(edit))
  const secrets = [...new Set([...lost, ...entries.filter(([, edit]) => !isStorable(edit)).map(([path]) => path)])]
  try {
    if (entries.length === 0 && secrets.length === 0) sessionStorage.removeItem(storageKey())
    else sessionStorage.setItem(storageKey(), JSON.stringify({ edits: Object.fromEntries(kept), secrets } satisfies Stored))
  } catch {
    // Without storage, edits last as long as the page.
    return
  }
}

function read(): Stored {
  try {
    const found = recordOf(JSON.parse(sessionStorage.getItem(storageKey()) ?? '{}'))
    return { edits: recordOf(found['edits']) as Edits, secrets: (found['secrets'] ?? []) as readonly string[] }
  } catch {
    return { edits: {}, secrets: [] }
  }
}
