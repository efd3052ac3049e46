import { aBoolean, aFunction, aLine, aName, anObject, checkMembers, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'
import type { ToolSource } from './tool-source.js'

/** The longest id of a source: the names of its tools begin with it. */
export const maxToolSourceIdLength = 24

const sourceId = aName(
  /^(?=.{1,24}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
  `words in lower case with “-” between them, at most ${maxToolSourceIdLength} characters, such as mcp-host`,
)

/** Everything that is wrong with a source of tools, each with a JSON pointer. Empty when it can be asked. Never throws. */
export function checkToolSource(contribution: unknown): readonly Problem[] {
  const problems = checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      id: sourceId,
      title: aLine(200),
      supports: anObject({ required: { probe: aBoolean } }),
      tools: aFunction,
      execute: aFunction,
    },
    optional: { probe: aFunction, changes: aFunction },
  })
  return problems.length > 0 ? problems : checkProbe(contribution as ToolSource)
}

function checkProbe({ probe, supports }: ToolSource): readonly Problem[] {
  if (supports.probe && probe === undefined) return [{ path: '/probe', message: 'is required, because supports.probe is true' }]
  return !supports.probe && probe !== undefined ? [{ path: '/supports/probe', message: 'must be true, because the source has probe' }] : []
}
