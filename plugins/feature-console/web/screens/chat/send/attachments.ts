import { createSignal } from 'solid-js'
import { api } from '../../../api/client.js'
import { ApiProblem, isProblem } from '../../../api/problem.js'
import type { Schemas } from '../../../api/types.js'
import { upload } from '../../../api/upload.js'
import { keepPage } from '../../../app/reload-once.js'
import { loadPart } from '../../../core/load-part.js'
import { newId } from '../../../core/new-id.js'
import { bytesText } from '../../../i18n/formats.js'
import type { AttachedFile } from './outbox.js'
import { t } from './texts.js'

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

const pictures = /^image\/(png|jpeg|gif|webp)$/
/** From this size on, a file is sent in pieces that can be continued. */
const inPiecesFrom = 16 * 1024 * 1024

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
      await refuseTooLarge(found.file, agent, signal)
      const path = await uploadIntoOwnFolder(found.file, (share) => change(id, { share }), signal)
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
    for (const { id } of asked) change(id, { state: 'checking', error: undefined })
    const asking = agent
    const outcomes = await outcomesOf(asked, asking, signal)
    // Another agent was chosen meanwhile, for which they are asked about again.
    if (asking !== agent) return
    for (const { id, path } of asked) change(id, stateOf(outcomes?.find((each) => each.path === path)))
  }
  /** Asks again about what has arrived, and uploads what this agent may take. */
  const checkAgain = (): void => {
    rechecks.abort()
    rechecks = new AbortController()
    const arrived = items().filter(({ path }) => path !== undefined)
    if (arrived.length > 0)
      void check(
        arrived.map(({ id }) => id),
        rechecks.signal,
      ).catch(noteLate)
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
        const preview = pictures.test(file.type) ? { preview: URL.createObjectURL(file) } : {}
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

/**
 * Refuses before the upload what the agent cannot be given for its size alone. @throws {ApiProblem}
 */
async function refuseTooLarge(file: File, agent: string | undefined, signal: AbortSignal): Promise<void> {
  const { in_workspace, max_image_bytes, max_message_bytes } = await api.get('/api/chats/attachments', { query: queryOf(agent), signal })
  if (in_workspace) return
  // A file grows by a third in a message.
  const max = pictures.test(file.type) ? max_image_bytes : Math.floor((max_message_bytes * 3) / 4)
  if (file.size <= max && file.size > 0) return
  const detail = file.size === 0 ? t('file_empty') : t('file_too_large', { max: bytesText(max) })
  throw new ApiProblem({ status: 413, code: 'file_too_large', detail })
}

const queryOf = (agent: string | undefined) => (agent === undefined ? {} : { agent_id: agent })

type Outcome = Schemas['CheckedAttachment']

/**
 * What the service says of files. What it cannot say now, such as while many documents are read, it says
 * with the message: undefined.
 */
async function outcomesOf(
  files: readonly Attachment[],
  agent: string | undefined,
  signal: AbortSignal,
): Promise<readonly Outcome[] | undefined> {
  const attachments = files.flatMap(({ path }) => (path === undefined ? [] : [{ path }]))
  try {
    return (await api.post('/api/chats/attachments', { body: { attachments, ...queryOf(agent) }, signal })).files
  } catch (cause) {
    if (!isProblem(cause) || cause.code === 'aborted') throw cause
    return undefined
  }
}

function stateOf(outcome: Outcome | undefined): Partial<Attachment> {
  if (!outcome) return { state: 'done' }
  const { shown, in_workspace, problem, needs_file_tools } = outcome
  if (problem === null) return { state: 'done', inWorkspaceOnly: in_workspace && !shown }
  const detail = needs_file_tools ? t('needs_file_tools') : problem
  return { state: 'failed', canRetry: false, error: new ApiProblem({ status: 422, code: 'invalid_request', detail }) }
}

/** A later question has taken the place of this one. */
function noteLate(cause: unknown): void {
  if (!isProblem(cause, 'aborted')) throw cause
}

/** Uploads into a folder of its own, so that every file keeps its name. Returns the path. */
async function uploadIntoOwnFolder(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<string> {
  const folder = `files/attachments/${new Date().toISOString().slice(0, 10)}/${newId().slice(0, 8)}`
  const path = `${folder}/${file.name.replace(/[\p{Cc}\p{Cs}\\/]/gu, '_').slice(-100) || 'file'}`
  if (file.size < inPiecesFrom) {
    await upload(path, file, onProgress, signal)
    return path
  }
  const { uploadInPieces } = await loadPart(() => import('../../files/upload-in-pieces.js'))
  await uploadInPieces(path, file, { url: undefined, onUrl: () => undefined, onProgress, signal })
  return path
}

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
