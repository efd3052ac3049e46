import { browserUseError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import { type PageFrame, worldOf } from './frames.js'

/** An element, ready for a call: `release` it afterwards. */
export interface FoundElement {
  readonly frame: PageFrame
  readonly backendNodeId: number
  /** In the world of this plugin. */
  readonly objectId: string
}

/** The names of elements: `e12` in a snapshot, and what they stand for. Of one page. */
export interface ElementRefs {
  refOf(frame: PageFrame, backendNodeId: number): string
  /** Finds an element by its name. @throws `browser_use_invalid` if it is gone, or belongs to a document that is. */
  find(ref: string, frames: readonly PageFrame[], signal: AbortSignal): Promise<FoundElement>
  /** From now on the value of this element is kept to itself. */
  keepSecret(element: FoundElement): void
  isSecret(frame: PageFrame, backendNodeId: number): boolean
}

interface Known {
  readonly frameId: string
  readonly loaderId: string
  readonly backendNodeId: number
}

const keyOf = (frameId: string, loaderId: string, backendNodeId: number): string => `${frameId} ${loaderId} ${backendNodeId}`

export function createElementRefs(): ElementRefs {
  const byRef = new Map<string, Known>()
  const byKey = new Map<string, string>()
  const secrets = new Set<string>()
  let last = 0
  return {
    refOf({ id, loaderId }, backendNodeId) {
      const key = keyOf(id, loaderId, backendNodeId)
      const known = byKey.get(key)
      if (known !== undefined) return known
      // The oldest ones go; a model has long forgotten them.
      for (const [oldRef, old] of byRef) {
        if (byRef.size < limits.maxSnapshotNodes * 2) break
        byRef.delete(oldRef)
        byKey.delete(keyOf(old.frameId, old.loaderId, old.backendNodeId))
      }
      last += 1
      const ref = `e${last}`
      byRef.set(ref, { frameId: id, loaderId, backendNodeId })
      byKey.set(key, ref)
      return ref
    },
    async find(ref, frames, signal) {
      const known = byRef.get(ref)
      const frame = known && frames.find(({ id, loaderId }) => id === known.frameId && loaderId === known.loaderId)
      if (known === undefined || frame === undefined) throw unknownRef(ref)
      const executionContextId = await worldOf(frame, signal)
      try {
        const { object } = await frame.session.send<{ readonly object: { readonly objectId: string } }>(
          'DOM.resolveNode',
          { backendNodeId: known.backendNodeId, executionContextId },
          { signal },
        )
        return { frame, backendNodeId: known.backendNodeId, objectId: object.objectId }
      } catch (error) {
        signal.throwIfAborted()
        throw unknownRef(ref, error)
      }
    },
    keepSecret: ({ frame, backendNodeId }) => void secrets.add(keyOf(frame.id, frame.loaderId, backendNodeId)),
    isSecret: ({ id, loaderId }, backendNodeId) => secrets.has(keyOf(id, loaderId, backendNodeId)),
  }
}

const unknownRef = (ref: string, cause?: unknown) =>
  browserUseError.create(
    { text: `There is no element ${ref.slice(0, 40)} on the page any more. Take a new snapshot and use a ref of it.` },
    { cause },
  )
