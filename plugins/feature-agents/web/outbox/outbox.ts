import { currentProfile, errorText, isProblem, newId, onReturn, withLock } from '@agent-service/sdk/web'
import { createSignal, onCleanup } from 'solid-js'
import { api, onEvent, type Schemas } from '../api/index.js'

/** A file of the person that goes with a message. */
export interface AttachedFile {
  readonly path: string
  readonly name: string
  readonly size: number
}

/** Who answers a message: an agent of the person, and a model group; null: the agent's. */
export type Choice = Pick<Schemas['CreateMessage'], 'agent_id' | 'model'>

/** A message that the service has not confirmed yet. */
export interface Outgoing {
  /** The idempotency key: however often it is sent, it is stored once. */
  readonly key: string
  /** Absent until the chat that it begins is there. */
  readonly chatId?: string
  /** How the chat begins that has no id yet. */
  readonly begins?: Schemas['CreateChat']
  /** How many chats were begun for it and deleted again, since it was refused. */
  readonly begun?: number
  readonly content: string
  readonly attachments: readonly AttachedFile[]
  /** Who was chosen when it was written. Default: as its chat has it. */
  readonly choice?: Choice | undefined
  /** The model that answers as well. */
  readonly compareWith?: string | undefined
  /** The message in whose place it stands. */
  readonly replaces?: string
  /** The sequence of the newest message of the chat that was there before it, if that was known. */
  readonly after?: number | undefined
  readonly createdAt: string
  /** Why the service refused it; it waits for the person then. */
  readonly refused?: string
}

type Delivered = (created: Schemas['CreatedMessage'], message: Outgoing) => void

const [entries, setEntries] = createSignal<readonly Outgoing[]>([])
const delivered = new Set<Delivered>()
/** Chats whose run takes no message now: it is stopping, or has another agent or model. Their messages wait for its end. */
const [busyChats, setBusyChats] = createSignal<ReadonlySet<string>>(new Set())
const maxPauseMs = 15_000
let sending = false
let again = false
let pauseMs = 500
let timer: ReturnType<typeof setTimeout> | undefined
/** Gives up the requests that are on their way. */
let attempt = new AbortController()
/** False once the browser has refused to store: then this tab's memory has all there is. */
let canStore = true

/** What has not been confirmed, in the order in which it was written. */
export const outgoing = entries

/** Whether a message is still to be sent; a refused one waits for the person. */
export const isUndelivered = ({ refused }: Outgoing): boolean => refused === undefined

/** Whether a message is sent when the answer that is being written has ended. */
export const waitsForAnswer = (message: Outgoing): boolean =>
  isUndelivered(message) && message.chatId !== undefined && busyChats().has(message.chatId)

/**
 * Kept in the browser until the service has confirmed it, under the account that wrote it, so that
 * a reload, a crash or a lost connection loses nothing.
 */
const storageKey = (): string => `console.outbox.${currentProfile()?.id ?? ''}`

function stored(): readonly Outgoing[] {
  if (!canStore) return entries()
  try {
    return JSON.parse(localStorage.getItem(storageKey()) ?? '[]') as readonly Outgoing[]
  } catch {
    return entries()
  }
}

/** Changes the newest state: other tabs write to it too. */
function change(alter: (before: readonly Outgoing[]) => readonly Outgoing[]): void {
  const next = alter(stored())
  setEntries(next)
  try {
    if (next.length === 0) localStorage.removeItem(storageKey())
    else localStorage.setItem(storageKey(), JSON.stringify(next))
    canStore = true
  } catch {
    canStore = false
  }
}

const changeOne = (key: string, alter: (before: Outgoing) => Outgoing): void =>
  change((before) => before.map((each) => (each.key === key ? alter(each) : each)))

/** Takes up what an earlier page left, and sends it. To be called in the `start` of a screen, with which it ends. */
export function startOutbox(): void {
  const ended = new AbortController()
  onCleanup(() => ended.abort())
  const onStored = ({ key }: StorageEvent): void => {
    if (key !== storageKey()) return
    setEntries(stored())
    // The other tab may be closed before it has sent what it wrote.
    void deliver()
  }
  setEntries(stored())
  window.addEventListener('online', sendAnew, { signal: ended.signal })
  window.addEventListener('storage', onStored, { signal: ended.signal })
  onReturn(sendAnew)
  for (const name of ['run.completed', 'run.failed', 'run.cancelled'] as const) onCleanup(onEvent(name, ({ data }) => takeUp(data.chat_id)))
  onCleanup(onEvent('chat.deleted', ({ data }) => takeUp(data.chat_id)))
  onCleanup(onEvent('reset', () => busyChats().forEach(takeUp)))
  void deliver()
}

/**
 * The connection is back: a request of before may never be answered, and browsers wait for it without a limit. What
 * the service has nevertheless got is stored once.
 */
function sendAnew(): void {
  attempt.abort()
  attempt = new AbortController()
  void deliver()
}

/** Goes on with the messages of a chat that waited for the end of a run. */
function takeUp(chatId: string): void {
  if (!busyChats().has(chatId)) return
  setBusyChats((before) => new Set([...before].filter((each) => each !== chatId)))
  void deliver()
}

/** Puts a message into the outbox and sends it. Returns its key. */
export function post(message: Omit<Outgoing, 'key' | 'createdAt' | 'refused'>): string {
  const key = newId()
  change((before) => [...before, { ...message, key, createdAt: new Date().toISOString() }])
  void deliver()
  return key
}

/** Sends a refused message again. */
export function resend(key: string): void {
  changeOne(key, ({ refused: _, ...each }) => each)
  void deliver()
}

/** What is still to be sent comes after this message, even if it has the same words. */
const putBehind = ({ chat_id, sequence }: Schemas['Message']): void =>
  change((before) => before.map((each) => (each.chatId === chat_id && each.after !== undefined ? { ...each, after: sequence } : each)))

export function discard(key: string): void {
  change((before) => before.filter((each) => each.key !== key))
}

/** Calls a function for each confirmed message. Returns the undo. */
export function onDelivered(handle: Delivered): () => void {
  delivered.add(handle)
  return () => void delivered.delete(handle)
}

/** Sends one after the other; one tab at a time. A repeat is answered with the first answer. */
async function deliver(): Promise<void> {
  clearTimeout(timer)
  again = true
  if (sending) return
  sending = true
  try {
    while (again) {
      again = false
      await withLock(storageKey(), async () => {
        setEntries(stored())
        for (let next = firstOf(); next; next = firstOf()) if (!(await sendOne(next))) return
      })
    }
  } finally {
    sending = false
  }
}

const firstOf = (): Outgoing | undefined => entries().find((message) => isUndelivered(message) && !waitsForAnswer(message))

/** The chat of a message. One that it begins is created once, however often this is repeated. */
async function chatOf({ key, chatId, begins, begun = 0 }: Outgoing): Promise<string> {
  if (chatId !== undefined) return chatId
  const { signal } = attempt
  const idempotencyKey = begun === 0 ? `${key}-chat` : `${key}-chat-${begun}`
  const { id } = await api.post('/api/chats', { body: begins ?? {}, idempotencyKey, signal })
  changeOne(key, (each) => ({ ...each, chatId: id }))
  return id
}

async function sendOne(message: Outgoing): Promise<boolean> {
  const { key, content, attachments, replaces, choice, compareWith } = message
  try {
    const chatId = await chatOf(message)
    const created = await api.post('/api/chats/{chat_id}/messages', {
      path: { chat_id: chatId },
      body: {
        content,
        ...(attachments.length > 0 && { attachments: attachments.map(({ path }) => ({ path })) }),
        ...(replaces !== undefined && { replaces }),
        ...(compareWith !== undefined && { compare_with: { model: compareWith } }),
        ...choice,
      },
      idempotencyKey: key,
      signal: attempt.signal,
    })
    for (const handle of delivered) handle(created, message)
    discard(key)
    putBehind(created.message)
    pauseMs = 500
    return true
  } catch (cause) {
    if (isProblem(cause, 'run_in_progress') && message.chatId !== undefined && replaces === undefined) {
      await waitForEnd(message.chatId)
      return true
    }
    // An attempt that a killed service had begun is in progress until its claim runs out.
    const passing: ReadonlySet<string> = new Set(['unauthenticated', 'idempotency_in_progress'])
    const isPassing = isProblem(cause) && (cause.status === 0 || cause.status === 429 || cause.status >= 500 || passing.has(cause.code))
    if (!isPassing) {
      await deleteEmptyChat(key)
      changeOne(key, (each) => ({ ...each, refused: refusalOf(cause, message) }))
      return true
    }
    timer = setTimeout(() => void deliver(), cause.retryAfterMs ?? pauseMs)
    pauseMs = Math.min(maxPauseMs, pauseMs * 2)
    return false
  }
}

/** Deletes the chat that a refused message has begun, so that it leaves none without messages; sent again, it begins another one. */
async function deleteEmptyChat(key: string): Promise<void> {
  const { begins, chatId } = entries().find((each) => each.key === key) ?? {}
  if (begins === undefined || chatId === undefined) return
  const [path, { signal }] = [{ chat_id: chatId }, attempt]
  try {
    if ((await api.get('/api/chats/{chat_id}', { path, signal })).message_count > 0) return
    await api.delete('/api/chats/{chat_id}', { path, signal })
    changeOne(key, ({ chatId: _, begun = 0, ...each }) => ({ ...each, begun: begun + 1 }))
  } catch (cause) {
    // It stays the chat of this message.
    if (!isProblem(cause)) throw cause
  }
}

/** Leaves the messages of a chat until its run has ended. It may have ended before this page knew that it has to wait. */
async function waitForEnd(chatId: string): Promise<void> {
  setBusyChats((before) => new Set([...before, chatId]))
  const chat = await api.get('/api/chats/{chat_id}', { path: { chat_id: chatId }, signal: attempt.signal }).catch(unlessGone)
  if (!chat || (chat.active_run_id === null && chat.beside_run_id === null)) takeUp(chatId)
}

/** Without an answer the chat counts as free: the message is tried again, and then says what is wrong. */
function unlessGone(cause: unknown): undefined {
  if (!isProblem(cause)) throw cause
}

/** Each file by its name with the reason, where that is the problem. */
function refusalOf(cause: unknown, { attachments }: Outgoing): string {
  const files = isProblem(cause) ? cause.errors.filter(({ path }) => path.startsWith('/attachments/')) : []
  const nameAt = (path: string): string => attachments[Number(path.split('/')[2])]?.name ?? ''
  return files.length > 0 ? files.map(({ path, message }) => `${nameAt(path)}: ${message}`).join(' · ') : errorText(cause)
}
