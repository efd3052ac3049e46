import { isProblem } from '@agent-service/sdk/web'
import { createEffect, createSignal, onCleanup } from 'solid-js'
import { api } from '../../api/index.js'
import type { Patch } from '../model/edits.js'
import type { Check } from './review.js'

const pauseMs = 300

/**
 * Checks the file with a change as the next start would, at first and shortly after each edit. Until
 * a new change was checked, the answer is `undefined`. If the service cannot be reached, nothing is
 * known to be wrong: the save checks again.
 */
export function createLiveCheck(patch: () => Patch): () => Check | undefined {
  const [check, setCheck] = createSignal<Check>()
  createEffect(() => {
    const body = patch()
    const controller = new AbortController()
    setCheck(undefined)
    const timer = setTimeout(() => void ask(body, controller.signal), pauseMs)
    onCleanup(() => {
      clearTimeout(timer)
      controller.abort()
    })
  })
  const ask = async (body: Patch, signal: AbortSignal): Promise<void> => {
    try {
      const found = await api.post('/api/admin/config/check', { body: { set: body.set, reset: [...body.reset] }, signal })
      if (!signal.aborted) setCheck(found)
    } catch (error) {
      if (signal.aborted) return
      if (!isProblem(error)) throw error
      setCheck({ problems: [], warnings: [], overlaps: [] })
    }
  }
  return check
}
