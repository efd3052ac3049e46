import { aBoolean, aContributionId, aFunction, aLine, anObject, checkMembers, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'
import type { MemoryBackend } from './memory-backend.js'

/** Everything that is wrong with a memory back end, each with a JSON pointer. Empty when agents can remember by it. Never throws. */
export function checkMemoryBackend(contribution: unknown): readonly Problem[] {
  const problems = checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      id: aContributionId,
      title: aLine(200),
      supports: anObject({ required: { history: aBoolean, sweep: aBoolean } }),
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
    },
    optional: { sweep: aFunction },
  })
  return problems.length > 0 ? problems : checkSweep(contribution as MemoryBackend)
}

function checkSweep({ sweep, supports }: MemoryBackend): readonly Problem[] {
  if (supports.sweep && sweep === undefined) return [{ path: '/sweep', message: 'is required, because supports.sweep is true' }]
  return !supports.sweep && sweep !== undefined
    ? [{ path: '/supports/sweep', message: 'must be true, because the back end has sweep' }]
    : []
}
