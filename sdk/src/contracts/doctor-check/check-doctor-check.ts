import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aFunction, aLine, aName, checkShape, firstSpecVersion, oneOf } from '../shape/check-shape.js'

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aName(/^(?=.{1,100}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'an id such as sandbox-linux'),
  title: aLine(14),
  run: aFunction,
})

/**
 * Everything that is wrong with a check, each with a JSON pointer. Empty when `doctor` can run it.
 * Never throws.
 */
export const checkDoctorCheck = (contribution: unknown): readonly Problem[] => checkShape(shape, contribution)

const report = Type.Object({
  findings: Type.Array(Type.Object({ state: oneOf(['well', 'warning', 'failed']), text: aLine(500) }), { maxItems: 50 }),
  json: Type.Optional(Type.Unknown()),
})

/** Everything that is wrong with what a check returned, as {@link checkDoctorCheck}. */
export const checkDoctorReport = (result: unknown): readonly Problem[] => checkShape(report, result)
