import type { CollectionLayout } from '@agent-service/sdk/contracts/database-driver'
import type { Catalogue } from './catalogue.js'
import type { Reader } from './reader.js'
import type { WriteQueue } from './write-queue.js'

/**
 * Creates collections. Those that are asked for before the first of them has its turn share one
 * transaction and one sync.
 */
export interface CollectionCreator {
  /**
   * Resolves when there is a collection of this name: this one, or another that was there or asked
   * for before.
   */
  create(layout: CollectionLayout): Promise<void>
}

/** Makes the creator of a connection. */
export function createCollectionCreator(dependencies: {
  readonly queue: WriteQueue
  readonly catalogue: Catalogue
  readonly reader: Reader
}): CollectionCreator {
  const { queue, catalogue, reader } = dependencies
  let waiting = new Map<string, CollectionLayout>()
  let turn: Promise<void> | undefined

  const createAll = (): Promise<void> =>
    queue.exclusive(async (request) => {
      const layouts = [...waiting.values()].filter(({ name }) => !catalogue.has(name))
      waiting = new Map()
      turn = undefined
      if (layouts.length === 0) return
      await request({ kind: 'create', layouts })
      catalogue.reload()
      reader.forget()
    })

  return {
    create(layout) {
      if (!waiting.has(layout.name)) waiting.set(layout.name, layout)
      turn ??= createAll()
      return turn
    },
  }
}
