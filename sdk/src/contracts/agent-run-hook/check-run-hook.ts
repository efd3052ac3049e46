import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aContributionId, aFunction, aLine, aRange, checkShape, firstSpecVersion } from '../shape/check-shape.js'
import type { AgentRunHook } from './run-hook.js'

/** The members of a hook of which it has at least one. */
export const runHookMembers = [
  'beforeModelCall',
  'afterModelCall',
  'beforeToolCall',
  'afterToolCall',
  'mask',
  'maskAnswer',
  'runEnded',
] as const satisfies readonly (keyof AgentRunHook)[]

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aContributionId,
  title: aLine(200),
  order: Type.Optional(aRange(0, 10_000)),
  timeoutMs: Type.Optional(aRange(1, 30_000)),
  outputPieces: Type.Optional(Type.Union([Type.Literal('lines'), Type.Literal('any')])),
  ...Object.fromEntries(runHookMembers.map((member) => [member, Type.Optional(aFunction)])),
})

/**
 * Everything that is wrong with a hook, each with a JSON pointer. Empty when runs may use it. Never
 * throws.
 */
export function checkRunHook(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  if (problems.length > 0) return problems
  const hook = contribution as AgentRunHook
  return runHookMembers.some((member) => hook[member] !== undefined)
    ? []
    : [{ path: '/', message: `must have at least one of ${runHookMembers.join(', ')}` }]
}
