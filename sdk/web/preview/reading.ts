import { createEffect, createSignal, on, onCleanup, untrack } from 'solid-js'
import { onEvent } from '../api/events.js'
import { isProblem } from '../api/problem.js'
import { newId } from '../core/new-id.js'
import { createQueries } from '../query/create-queries.js'
import type { Query } from '../query/reading-value.js'
import { lookAgain, type ReadFile, readFile, type ShownFile } from './read-file.js'

/** A file that is read, and watched afterwards. */
export interface Reading {
  /** The one that is read. */
  readonly file: () => ShownFile
  /** As it was when it was read last. */
  readonly loaded: Query<ReadFile>
  /** It has other content now than what is shown. */
  readonly isChanged: () => boolean
  /** It is no longer there. */
  readonly isGone: () => boolean
  /** Reads it again, as it is now, and shows it anew, also where only what lies beside a page has changed. */
  reload(): void
}

const { createQuery } = createQueries()

/** A run changes files one after the other; they are looked at together. */
const pauseMs = 500

/**
 * Reads a file. Nothing tells of changes of files: it is looked at again when an agent's tool or run
 * has ended, and when the person comes back to the page. It ends with the component.
 *
 * @example
 * export function Report(): JSX.Element {
 *   const reading = createReading(() => ({ path: 'files/report.md', name: 'report.md' }))
 *   return <FileView reading={reading} />
 * }
 */
export function createReading(file: () => ShownFile): Reading {
  const [isChanged, setChanged] = createSignal(false)
  const [isGone, setGone] = createSignal(false)
  /** Each reading is its own: what is shown does not change because it is read elsewhere. */
  const [id, setId] = createSignal(newId())
  const loaded = createQuery({
    key: () => [id(), file().path, file().name],
    read: (signal) => readFile(untrack(file), signal),
    follow: false,
  })
  createEffect(
    on(loaded.value, () => {
      setChanged(false)
      setGone(false)
    }),
  )
  createEffect(on(loaded.error, (error) => isProblem(error, 'not_found') && setGone(true)))
  const look = async (): Promise<void> => {
    const [read, { path }] = [loaded.value(), file()]
    if (read === undefined || loaded.isLoading() || document.hidden) return
    try {
      const found = await lookAgain(path, read.etag)
      if (path === file().path && read === loaded.value()) setChanged(found === 'changed')
    } catch (error) {
      if (!isProblem(error)) throw error
      // Whether it has changed is not known without the service; the next look says it.
      if (error.code === 'not_found' && path === file().path) setGone(true)
    }
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const lookSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void look(), pauseMs)
  }
  for (const name of ['tool_call.finished', 'run.completed', 'run.failed', 'run.cancelled', 'reset'] as const)
    onCleanup(onEvent(name, lookSoon))
  document.addEventListener('visibilitychange', lookSoon)
  onCleanup(() => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', lookSoon)
  })
  return { file, loaded, isChanged, isGone, reload: () => void setId(newId()) }
}
