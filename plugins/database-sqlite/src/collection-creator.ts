import type { CollectionLayout } from '@agent-service/sdk/contracts/database-driver'
import type { Catalogue } from './catalogue.js'
import { writerStoppedError } from './sqlite-errors.js'
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
export function createCollectionCreator(dependencies: { readonly queue: WriteQueue; readonly catalogue: Catalogue }): CollectionCreator {
  const { queue, catalogue } = dependencies
  let waiting = new Map<string, CollectionLayout>()
  let turn: Promise<void> | undefined

  const createAll = (): Promise<void> =>
    queue.exclusive(async (request) => {
      const layouts = [...waiting.values()].filter(({ name }) => !catalogue.has(name))
      waiting = new Map()
      turn = undefined
      if (layouts.length === 0) return
      const reply = await request({ kind: 'create', layouts })
      if (reply.kind !== 'created') throw writerStoppedError.create({ reason: `it answered ${reply.kind}` })
      catalogue.add(reply.collections)
    })

  return {
    create(layout) {
      if (!waiting.has(layout.name)) waiting.set(layout.name, layout)
      turn ??= createAll()
      return turn
    },
  }
}
