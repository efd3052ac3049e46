import { createSignal } from 'solid-js'
import { api } from '../../api/client.js'
import { isProblem } from '../../api/problem.js'
import type { Schemas } from '../../api/types.js'
import { currentProfile } from '../../app/session.js'
import { errorText } from '../../ui/states.js'

/** A message that the service has not confirmed yet. */
export interface Outgoing {
  /** The idempotency key: however often it is sent, it is stored once. */
  readonly key: string
  readonly chatId: string
  readonly content: string
  readonly attachments: readonly string[]
  /** The message in whose place it stands. */
  readonly replaces?: string
  readonly createdAt: string
  /** Why the service refused it; it waits for the person then. */
  readonly refused?: string
}

const [entries, setEntries] = createSignal<readonly Outgoing[]>([])
const delivered = new Set<(created: Schemas['CreatedMessage']) => void>()
const maxPauseMs = 15_000
let sending = false
let pauseMs = 500
let timer: ReturnType<typeof setTimeout> | undefined

/** What has not been confirmed, in the order in which it was written. */
export const outgoing = entries

/**
 * Kept in the browser until the service has confirmed it, under the account that wrote it, so that
 * a reload, a crash or a lost connection loses nothing.
 */
const storageKey = (): string => `console.outbox.${currentProfile()?.id ?? ''}`

function stored(): readonly Outgoing[] {
  try {
    return JSON.parse(localStorage.getItem(storageKey()) ?? '[]') as readonly Outgoing[]
  } catch {
    return []
  }
}

/** Changes the newest state: other tabs write to it too. */
function change(alter: (before: readonly Outgoing[]) => readonly Outgoing[]): void {
  const next = alter(mergeOf(stored(), entries()))
  setEntries(next)
  try {
    if (next.length === 0) localStorage.removeItem(storageKey())
    else localStorage.setItem(storageKey(), JSON.stringify(next))
  } catch {
    return
  }
}

const mergeOf = (kept: readonly Outgoing[], here: readonly Outgoing[]): readonly Outgoing[] =>
  kept.length > 0 || here.length === 0 ? kept : here

/** Takes up what an earlier page left, and sends it. */
export function startOutbox(): void {
  setEntries(stored())
  window.addEventListener('online', () => void deliver())
  window.addEventListener('storage', ({ key }) => {
    if (key !== storageKey()) return
    setEntries(stored())
    // The other tab may be closed before it has sent what it wrote.
    void deliver()
  })
  void deliver()
}

/** Puts a message into the outbox and sends it. */
export function post(message: Omit<Outgoing, 'key' | 'createdAt' | 'refused'>): void {
  change((before) => [...before, { ...message, key: crypto.randomUUID(), createdAt: new Date().toISOString() }])
  void deliver()
}

/** Sends a refused message again. */
export function resend(key: string): void {
  change((before) => before.map(({ refused, ...each }) => (each.key === key || refused === undefined ? each : { ...each, refused })))
  void deliver()
}

export function discard(key: string): void {
  change((before) => before.filter((each) => each.key !== key))
}

/** Calls a function for each confirmed message. Returns the undo. */
export function onDelivered(handle: (created: Schemas['CreatedMessage']) => void): () => void {
  delivered.add(handle)
  return () => void delivered.delete(handle)
}

/** Sends one after the other; one tab at a time. A repeat is answered with the first answer. */
async function deliver(): Promise<void> {
  clearTimeout(timer)
  if (sending) return
  sending = true
  try {
    await navigator.locks.request(storageKey(), async () => {
      setEntries(stored().length > 0 ? stored() : entries())
      for (let next = firstOf(); next; next = firstOf()) if (!(await sendOne(next))) return
    })
  } finally {
    sending = false
  }
}

const firstOf = (): Outgoing | undefined => entries().find(({ refused }) => refused === undefined)

async function sendOne({ key, chatId, content, attachments, replaces }: Outgoing): Promise<boolean> {
  try {
    const created = await api.post('/api/chats/{chat_id}/messages', {
      path: { chat_id: chatId },
      body: {
        content,
        ...(attachments.length > 0 && { attachments: attachments.map((path) => ({ path })) }),
        ...(replaces !== undefined && { replaces }),
      },
      idempotencyKey: key,
    })
    for (const handle of delivered) handle(created)
    discard(key)
    pauseMs = 500
    return true
  } catch (cause) {
    // An attempt that a killed service had begun is in progress until its claim runs out.
    const passing: ReadonlySet<string> = new Set(['unauthenticated', 'idempotency_in_progress'])
    const isPassing = isProblem(cause) && (cause.status === 0 || cause.status === 429 || cause.status >= 500 || passing.has(cause.code))
    if (!isPassing) {
      change((before) => before.map((each) => (each.key === key ? { ...each, refused: errorText(cause) } : each)))
      return true
    }
    timer = setTimeout(() => void deliver(), cause.retryAfterMs ?? pauseMs)
    pauseMs = Math.min(maxPauseMs, pauseMs * 2)
    return false
  }
}
