import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aCount, aFunction, aLine, aName, aText, checkShape, firstSpecVersion, oneOf } from '../shape/check-shape.js'
import { aSchema } from '../shape/contributed-schema.js'
import { checkDisplay, displayShape } from './check-display.js'
import type { ApprovalMode, EffectClass, Tool } from './tool.js'

/** What a tool's name must look like: what models may call. */
export const toolNamePattern: RegExp = /^[a-z][a-z0-9_]{0,63}$/

/** The longest name of a tool, the prefix of its plugin included. */
export const maxToolNameLength = 64

const effects = ['read', 'idempotent', 'checkable', 'unsafe'] as const satisfies readonly EffectClass[]
const approvals = ['never', 'first_time', 'always'] as const satisfies readonly ApprovalMode[]

const shape = Type.Object({
  specVersion: firstSpecVersion,
  name: aName(toolNamePattern, 'a name in snake_case with at most 64 characters, such as roll_dice'),
  title: aLine(200),
  description: aText({ minLength: 10, maxLength: 20_000 }),
  parameters: aSchema('closed object'),
  supports: Type.Object({ probe: Type.Boolean() }),
  effect: Type.Optional(oneOf(effects)),
  parallel: Type.Optional(Type.Boolean()),
  timeoutMs: Type.Optional(aCount),
  approval: Type.Optional(oneOf(approvals)),
  readsWorkspace: Type.Optional(Type.Boolean()),
  display: Type.Optional(displayShape),
  execute: aFunction,
  offered: Type.Optional(aFunction),
  purpose: Type.Optional(aFunction),
  scopes: Type.Optional(aFunction),
  exactly: Type.Optional(aFunction),
  asks: Type.Optional(aFunction),
  probe: Type.Optional(aFunction),
})

/**
 * Everything that is wrong with a tool as the host gets it, each with a JSON pointer. Empty when
 * models may see it. Never throws.
 */
export function checkTool(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  return problems.length > 0 ? problems : [...checkProbe(contribution as Tool), ...checkDisplay(contribution as Tool)]
}

function checkProbe({ probe, supports, effect }: Tool): readonly Problem[] {
  if (supports.probe && probe === undefined) return [{ path: '/probe', message: 'is required, because supports.probe is true' }]
  if (!supports.probe && probe !== undefined) return [{ path: '/supports/probe', message: 'must be true, because the tool has probe' }]
  if (effect === 'checkable' && !supports.probe)
    return [{ path: '/supports/probe', message: 'must be true, and probe be there, because the effect is "checkable"' }]
  return []
}
