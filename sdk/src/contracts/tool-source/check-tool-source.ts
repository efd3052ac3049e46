import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aFunction, aLine, aName, checkShape, firstSpecVersion } from '../shape/check-shape.js'
import type { ToolSource } from './tool-source.js'

/** The longest id of a source: the names of its tools begin with it. */
export const maxToolSourceIdLength = 24

const sourceId = aName(
  /^(?=.{1,24}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
  `words in lower case with “-” between them, at most ${maxToolSourceIdLength} characters, such as mcp-host`,
)

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: sourceId,
  title: aLine(200),
  supports: Type.Object({ probe: Type.Boolean() }),
  tools: aFunction,
  execute: aFunction,
  probe: Type.Optional(aFunction),
  changes: Type.Optional(aFunction),
})

/**
 * Everything that is wrong with a source of tools, each with a JSON pointer. Empty when it can be
 * asked. Never throws.
 */
export function checkToolSource(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  return problems.length > 0 ? problems : checkProbe(contribution as ToolSource)
}

function checkProbe({ probe, supports }: ToolSource): readonly Problem[] {
  if (supports.probe && probe === undefined) return [{ path: '/probe', message: 'is required, because supports.probe is true' }]
  return !supports.probe && probe !== undefined ? [{ path: '/supports/probe', message: 'must be true, because the source has probe' }] : []
}
