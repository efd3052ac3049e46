import { createRested, readEvents, send } from '@agent-service/sdk/web'
import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'

export type Entry = Schemas['LogEntry']

/** What the person has chosen; empty texts choose everything. */
export interface Filter {
  readonly level: '' | Entry['level']
  readonly source: string
  readonly search: string
}

/** A line, or a place where lines are missing. */
export type Line =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'gap'; readonly id: string; readonly missed: number }

const pageSize = 200
const maxLines = 2_000
const maxPauseMs = 10_000
const typingMs = 300

/** The log as it grows. */
export interface FollowedLog {
  /** Oldest first. While it is paused, new lines wait. */
  readonly lines: () => readonly Line[]
  readonly waiting: () => number
  readonly isLoading: () => boolean
  /** Whether older lines can be loaded. */
  readonly hasOlder: () => boolean
  older(): Promise<void>
  /** Why nothing comes at the moment; it is tried again. */
  readonly error: () => unknown
  readonly isPaused: () => boolean
  setPaused(paused: boolean): void
}

const queryOf = ({ level, source, search }: Filter) => ({
  ...(level !== '' && { level }),
  ...(source !== '' && { source }),
  ...(search.trim() !== '' && { search: search.trim() }),
})

/** The lines of a page, oldest first; those that are shown already stay as they are. */
function linesOf(entries: readonly Entry[], before: readonly Line[]): readonly Line[] {
  const known = new Map(before.flatMap((line) => (line.kind === 'entry' ? [[line.entry.id, line] as const] : [])))
  return [...entries].reverse().map((entry) => known.get(entry.id) ?? { kind: 'entry', entry })
}

/** Reads the latest lines and then follows; begins anew when the filter changes. */
export function followLog(filter: () => Filter): FollowedLog {
  const [lines, setLines] = createSignal<readonly Line[]>([])
  const [held, setHeld] = createSignal<readonly Line[]>([])
  const [cursor, setCursor] = createSignal<string | null>(null)
  const [isLoading, setLoading] = createSignal(true)
  const [error, setError] = createSignal<unknown>()
  const [isPaused, setIsPaused] = createSignal(false)
  let controller = new AbortController()

  const add = (more: readonly Line[]): void => {
    const keep = (before: readonly Line[]): readonly Line[] => [...before, ...more].slice(-maxLines)
    if (isPaused()) setHeld(keep)
    else setLines(keep)
  }
  const read = async (chosen: Filter, after: string | undefined, signal: AbortSignal): Promise<string | undefined> => {
    const query = { ...queryOf(chosen), ...(after !== undefined && { after }) }
    const answer = await send('get', '/api/admin/logs/stream', { query, headers: { accept: 'text/event-stream' }, signal })
    setError(undefined)
    let last = after
    if (!answer.body) return last
    for await (const { id, event, data } of readEvents(answer.body, () => undefined)) {
      if (id !== '') last = id
      if (event === 'gap') add([{ kind: 'gap', id, missed: (data as { readonly missed: number }).missed }])
      if (event === 'lines') add((data as { readonly items: readonly Entry[] }).items.map((entry) => ({ kind: 'entry', entry })))
      place = last
    }
    return last
  }
  /** Behind which entry the stream continues. */
  let place: string | undefined
  const follow = async (chosen: Filter, signal: AbortSignal): Promise<void> => {
    for (let pauseMs = 250; !signal.aborted; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
      const before = place
      try {
        await read(chosen, place, signal)
      } catch (cause) {
        if (signal.aborted) return
        setError(() => cause)
      }
      if (place !== before) pauseMs = 250
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }
  const begin = async (chosen: Filter): Promise<void> => {
    controller.abort()
    controller = new AbortController()
    const { signal } = controller
    setLoading(true)
    for (let pauseMs = 500; !signal.aborted; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
      try {
        // The newest line of all is where the stream continues, whether or not it fits the filter.
        const [newest, page] = await Promise.all([
          api.get('/api/admin/logs', { query: { limit: 1 }, signal }),
          api.get('/api/admin/logs', { query: { ...queryOf(chosen), limit: pageSize }, signal }),
        ])
        place = page.items[0]?.id ?? newest.items[0]?.id
        setLines((before) => linesOf(page.items, before))
        setHeld([])
        setCursor(page.next_cursor)
        setLoading(false)
        setError(undefined)
        return await follow(chosen, signal)
      } catch (cause) {
        if (signal.aborted) return
        setError(() => cause)
      }
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  const asked = createRested(filter, typingMs)
  createEffect(on(asked, (chosen) => void begin(chosen)))
  onCleanup(() => controller.abort())
  return {
    lines,
    waiting: () => held().length,
    isLoading,
    hasOlder: () => cursor() !== null && lines().length < maxLines,
    async older() {
      const from = cursor()
      if (from === null) return
      const { signal } = controller
      try {
        const page = await api.get('/api/admin/logs', { query: { ...queryOf(asked()), limit: pageSize, cursor: from }, signal })
        setLines((before) => [...[...page.items].reverse().map((entry): Line => ({ kind: 'entry', entry })), ...before])
        setCursor(page.next_cursor)
      } catch (cause) {
        // Lines of a process that has ended are no longer there.
        if (!signal.aborted) setCursor(null)
        setError(() => cause)
      }
    },
    error,
    isPaused,
    setPaused(paused) {
      setIsPaused(paused)
      if (paused) return
      setLines((before) => [...before, ...held()].slice(-maxLines))
      setHeld([])
    },
  }
}
