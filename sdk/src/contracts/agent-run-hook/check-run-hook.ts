import { aContributionId, aFunction, aLine, aRange, checkMembers, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'
import type { AgentRunHook } from './run-hook.js'

/** The members of a hook of which it has at least one. */
export const runHookMembers = [
  'beforeModelCall',
  'afterModelCall',
  'beforeToolCall',
  'afterToolCall',
  'mask',
  'runEnded',
] as const satisfies readonly (keyof AgentRunHook)[]

/** Everything that is wrong with a hook, each with a JSON pointer. Empty when runs may be put before it. Never throws. */
export function checkRunHook(contribution: unknown): readonly Problem[] {
  const problems = checkMembers(contribution, {
    required: { specVersion: oneOf([1]), id: aContributionId, title: aLine(200) },
    optional: {
      order: aRange(0, 10_000),
      timeoutMs: aRange(1, 30_000),
      ...Object.fromEntries(runHookMembers.map((member) => [member, aFunction])),
    },
  })
  if (problems.length > 0) return problems
  const hook = contribution as AgentRunHook
  return runHookMembers.some((member) => hook[member] !== undefined)
    ? []
    : [{ path: '/', message: `must have at least one of ${runHookMembers.join(', ')}` }]
}
