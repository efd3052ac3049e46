import { createSignal } from 'solid-js'
import { api } from '../api/index.js'
import type { Panel } from './panel.js'
import { rememberScreens } from './remembered-screens.js'

const [panels, setPanels] = createSignal<readonly Panel[]>()
const [failure, setFailure] = createSignal<unknown>()
const maxPages = 10

/** What plugins add, as last read; `undefined` before that. */
export const allPanels = panels
export const panelsFailure = failure
/** Whether it is known which screens there are, or that nobody can say. Before that no screen is missing, and none is chosen. */
export const arePanelsKnown = (): boolean => panels() !== undefined || failure() !== undefined

let reading: Promise<void> | undefined
let isStale = false

/**
 * Reads the panels again: plugins come and go while the service runs. One reading at a time; what is asked for meanwhile is
 * read once more after it. Never rejects: {@link panelsFailure} has the reason.
 */
export function loadPanels(): Promise<void> {
  if (reading) isStale = true
  reading ??= readUntilCurrent().finally(() => {
    reading = undefined
  })
  return reading
}

/** Reads the panels unless they are known or being read. What failed before somebody had signed in is forgotten. */
export async function ensurePanels(): Promise<void> {
  if (panels()) return
  setFailure(undefined)
  await (reading ?? loadPanels())
}

async function readUntilCurrent(): Promise<void> {
  do {
    isStale = false
    await readOnce()
  } while (isStale)
}

async function readOnce(): Promise<void> {
  try {
    const found: Panel[] = []
    let cursor: string | null | undefined
    for (let page = 0; page < maxPages && cursor !== null; page += 1) {
      const answer = await api.get('/api/console/panels', { query: { limit: 200, ...(cursor && { cursor }) } })
      found.push(...answer.items)
      cursor = answer.next_cursor
    }
    found.sort((one, other) => one.order - other.order || one.id.localeCompare(other.id))
    setPanels(found)
    rememberScreens(found)
    setFailure(undefined)
  } catch (error) {
    setFailure(error)
  }
}
