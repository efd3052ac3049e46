import { isProblem, type PagedList } from '@agent-service/sdk/web'
import { onCleanup } from 'solid-js'
import { api, onEvent } from '../../api/index.js'
import type { Memory } from './read-memory.js'

/** Keeps a list up with what is remembered, changed and forgotten; `fits` says what belongs in it. */
export function followMemories(list: PagedList<Memory>, fits: (memory: Memory) => boolean): void {
  const isListed = (id: string): boolean => list.items().some((memory) => memory.id === id)
  const refresh = async (id: string): Promise<void> => {
    try {
      const memory = await api.get('/api/memory/{memory_id}', { path: { memory_id: id } })
      if (isListed(id) || fits(memory)) list.put(memory)
    } catch (error) {
      if (isProblem(error, 'not_found')) list.remove(id)
      // The list says why nothing can be read.
      else await list.reload()
    }
  }
  onCleanup(
    onEvent('memory.updated', ({ data: { change, memory_id: id } }) => {
      if (change === 'forgotten' && id !== undefined) list.remove(id)
      else if (change === 'remembered' || change === 'changed') void (id === undefined ? list.reload() : refresh(id))
      else if (change === 'imported' || change === 'restored') void list.reload()
    }),
  )
  onCleanup(onEvent('reset', () => void list.reload()))
}
