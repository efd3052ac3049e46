import { isProblem, keepPage, loadPart, newId } from '@agent-service/sdk/web'
import { createSignal } from 'solid-js'
import type { AttachedFile } from '../outbox/outbox.js'

/** A file on its way to a message. */
export interface Attachment {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly state: 'uploading' | 'checking' | 'done' | 'failed'
  /** How much has arrived, from 0 to 1. */
  readonly share: number
  /** Where the service keeps it. */
  readonly path?: string
  /** The model is not shown it: it lies in the workspace of the agent alone. */
  readonly inWorkspaceOnly?: boolean
  readonly error?: unknown
  /** A failed upload that can be tried again: the file is there and the service did not refuse it. */
  readonly canRetry?: boolean
  /** The address of a picture in this page. */
  readonly preview?: string
}

export type Attachments = ReturnType<typeof createAttachments>

const shownPicture = /^image\/(png|jpeg|gif|webp)$/
const loadGiving = () => loadPart(() => import('./giving/give-files.js'))

const open = new Map<string, Attachments>()

/**
 * The files of a message that is being written: uploaded at once, into the person's own files, also
 * while another screen is shown. What has arrived outlives a reload of the tab.
 */
export function attachmentsOf(draftKey: string): Attachments {
  const known = open.get(draftKey) ?? createAttachments(draftKey)
  open.set(draftKey, known)
  return known
}

/** Gives the files of one draft to another, in place of those that it had. */
export function moveAttachments(from: string, to: string): void {
  const moved = attachmentsOf(from)
  open.delete(from)
  open.set(to, moved)
  moved.moveTo(to)
}

function createAttachments(draftKey: string) {
  let key = `${draftKey}.files`
  const [items, setItems] = createSignal<readonly Attachment[]>(kept(key))
  const files = new Map<string, { readonly file: File; readonly controller: AbortController }>()
  /** The agent that is to answer; undefined: the first one. */
  let agent: string | undefined
  let rechecks = new AbortController()

  const store = (): void => keep(key, items())
  const change = (id: string, next: Partial<Attachment>): void => {
    setItems((all) => all.map((each) => (each.id === id ? { ...each, ...next } : each)))
    if (next.state !== undefined) store()
  }
  const forget = (id: string): void => {
    files.get(id)?.controller.abort()
    files.delete(id)
    const preview = items().find((each) => each.id === id)?.preview
    if (preview !== undefined) URL.revokeObjectURL(preview)
  }
  const send = async (id: string): Promise<void> => {
    const found = files.get(id)
    if (!found) return
    change(id, { state: 'uploading', share: 0, error: undefined })
    const release = keepPage()
    const { signal } = found.controller
    try {
      const { uploadFor } = await loadGiving()
      const path = await uploadFor(agent, found.file, (share) => change(id, { share }), signal)
      change(id, { share: 1, path })
      await check([id], signal)
    } catch (error) {
      if (isProblem(error, 'aborted')) return
      change(id, { state: 'failed', error, canRetry: !isProblem(error) || !refusals.has(error.code) })
    } finally {
      release()
    }
  }
  /** Says of files that have arrived what becomes of them with the agent that is chosen. */
  const check = async (ids: readonly string[], signal: AbortSignal): Promise<void> => {
    const asked = items().filter(({ id, path }) => path !== undefined && ids.includes(id))
    // What can be sent stays so meanwhile: a message that is sent at once is not held back, and the service refuses what it cannot take.
    for (const { id, state } of asked) if (state !== 'done') change(id, { state: 'checking', error: undefined })
    const asking = agent
    const { outcomesFor } = await loadGiving()
    const paths = asked.flatMap(({ path }) => (path === undefined ? [] : [path]))
    const outcomes = await outcomesFor(asking, paths, signal)
    // Another agent was chosen meanwhile, for which they are asked about again.
    if (asking !== agent) return
    for (const { id, path } of asked) change(id, outcomes.get(path ?? '') ?? { state: 'done' })
  }
  /** Asks again about what has arrived, and uploads what this agent may take. */
  const checkAgain = (): void => {
    rechecks.abort()
    rechecks = new AbortController()
    const arrived = items().filter(({ path }) => path !== undefined)
    const ids = arrived.map(({ id }) => id)
    if (ids.length > 0)
      void check(ids, rechecks.signal).catch((error: unknown) => {
        // A later question has taken the place of this one; else the service says it with the message.
        if (!isProblem(error, 'aborted')) for (const id of ids) change(id, { state: 'done' })
      })
    for (const { id, state, path, error } of items())
      if (state === 'failed' && path === undefined && isProblem(error, 'file_too_large')) void send(id)
  }

  return {
    items,
    isUploading: (): boolean => items().some(({ state }) => state === 'uploading' || state === 'checking'),
    hasFailed: (): boolean => items().some(({ state }) => state === 'failed'),
    add(added: readonly File[]): void {
      for (const file of added) {
        const id = newId()
        files.set(id, { file, controller: new AbortController() })
        const preview = shownPicture.test(file.type) ? { preview: URL.createObjectURL(file) } : {}
        setItems((all) => [...all, { id, name: file.name, size: file.size, state: 'uploading', share: 0, ...preview }])
        void send(id)
      }
    },
    retry: (id: string): void => void send(id),
    /** Names the agent that is to answer: what it can be given is asked again. */
    answeredBy(agentId: string | undefined): void {
      if (agentId === agent) return
      agent = agentId
      checkAgain()
    },
    /** Takes a file out of the message. It stays among the person's files. */
    remove(id: string): void {
      forget(id)
      setItems((all) => all.filter((each) => each.id !== id))
      store()
    },
    /** What goes with the message now; the list is empty afterwards. */
    take(): readonly AttachedFile[] {
      const taken = items().flatMap(({ path, name, size }) => (path === undefined ? [] : [{ path, name, size }]))
      for (const { id } of items()) forget(id)
      setItems([])
      store()
      return taken
    },
    /** Belongs to another draft from now on. */
    moveTo(other: string): void {
      keep(key, [])
      key = `${other}.files`
      store()
    },
    /** Puts files back that were taken. */
    restore(back: readonly AttachedFile[]): void {
      setItems((all) => [...all, ...back.map(doneOf)])
      store()
    },
  }
}

/** What stays refused, however often the file is uploaded. */
const refusals: ReadonlySet<string> = new Set(['file_too_large', 'invalid_request', 'message_too_long'])

const doneOf = (file: AttachedFile): Attachment => ({ ...file, id: newId(), state: 'done', share: 1 })

function kept(key: string): readonly Attachment[] {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? '[]') as readonly AttachedFile[]).map(doneOf)
  } catch {
    return []
  }
}

function keep(key: string, items: readonly Attachment[]): void {
  const done = items.flatMap(({ path, name, size }) => (path === undefined ? [] : [{ path, name, size }]))
  try {
    if (done.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(done))
  } catch {
    return
  }
}
