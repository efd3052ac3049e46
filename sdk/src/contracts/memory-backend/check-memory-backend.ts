import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aContributionId, aFunction, aLine, checkShape, firstSpecVersion } from '../shape/check-shape.js'
import type { MemoryBackend } from './memory-backend.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aContributionId,
  title: aLine(200),
  supports: Type.Object({ history: Type.Boolean(), sweep: Type.Boolean(), passes: Type.Boolean(), revisions: Type.Boolean() }),
  promptText: aFunction,
  remember: aFunction,
  search: aFunction,
  forget: aFunction,
  chatChanged: aFunction,
  list: aFunction,
  get: aFunction,
  change: aFunction,
  export: aFunction,
  import: aFunction,
  erase: aFunction,
  sweep: Type.Optional(aFunction),
  passes: Type.Optional(aFunction),
  retryPass: Type.Optional(aFunction),
  revisions: Type.Optional(aFunction),
  restore: Type.Optional(aFunction),
})

/**
 * Everything that is wrong with a memory back end, each with a JSON pointer. Empty when agents can
 * use it. Never throws.
 */
export function checkMemoryBackend(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  return problems.length > 0 ? problems : checkSupports(contribution as MemoryBackend)
}

/** The members that each of `supports` stands for. */
const membersOf = { sweep: ['sweep'], passes: ['passes', 'retryPass'], revisions: ['revisions', 'restore'] } as const

function checkSupports(backend: MemoryBackend): readonly Problem[] {
  return (['sweep', 'passes', 'revisions'] as const).flatMap((name) => {
    const missing = membersOf[name].filter((member) => backend[member] === undefined)
    if (backend.supports[name])
      return missing.map((member) => ({ path: `/${member}`, message: `is required, because supports.${name} is true` }))
    return missing.length === membersOf[name].length
      ? []
      : [{ path: `/supports/${name}`, message: `must be true, because the back end has ${membersOf[name].join(' or ')}` }]
  })
}
