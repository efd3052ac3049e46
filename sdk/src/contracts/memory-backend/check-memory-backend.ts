import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aContributionId, aFunction, aLine, checkShape, firstSpecVersion } from '../shape/check-shape.js'
import type { MemoryBackend } from './memory-backend.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aContributionId,
  title: aLine(200),
  supports: Type.Object({ history: Type.Boolean(), sweep: Type.Boolean() }),
  promptText: aFunction,
  remember: aFunction,
  search: aFunction,
  forget: aFunction,
  chatChanged: aFunction,
  list: aFunction,
  change: aFunction,
  export: aFunction,
  import: aFunction,
  erase: aFunction,
  sweep: Type.Optional(aFunction),
})

/**
 * Everything that is wrong with a memory back end, each with a JSON pointer. Empty when agents can
 * use it. Never throws.
 */
export function checkMemoryBackend(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  return problems.length > 0 ? problems : checkSweep(contribution as MemoryBackend)
}

function checkSweep({ sweep, supports }: MemoryBackend): readonly Problem[] {
  if (supports.sweep && sweep === undefined) return [{ path: '/sweep', message: 'is required, because supports.sweep is true' }]
  return !supports.sweep && sweep !== undefined
    ? [{ path: '/supports/sweep', message: 'must be true, because the back end has sweep' }]
    : []
}
