import { createSignal } from 'solid-js'
import { api } from '../../api/client.js'
import type { Panel } from './panel.js'

const [panels, setPanels] = createSignal<readonly Panel[]>()
const [failure, setFailure] = createSignal<unknown>()
const maxPages = 10

/** What plugins add, as last read; `undefined` before that. */
export const allPanels = panels
export const panelsFailure = failure

/** Reads the panels again: plugins come and go while the service runs. */
export async function loadPanels(): Promise<void> {
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
    setFailure(undefined)
  } catch (error) {
    setFailure(error)
  }
}
