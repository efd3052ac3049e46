import type { Problem } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import { problemWithVariable } from '../common/environment-names.js'
import { maxValuesBytes } from '../common/limits.js'

/** A field with its value, as a person enters it. */
export interface NewField {
  readonly name: string
  readonly value: string
  readonly secret: boolean
  readonly variable: string | null
  readonly as: 'value' | 'file'
}

/** What the schema cannot say of fields. @throws `invalid_request` with each problem, never with a value. */
export function checkFields(fields: readonly NewField[]): void {
  const [names, variables] = [new Set<string>(), new Set<string>()]
  const problems = fields.flatMap(({ name, variable }, index): readonly Problem[] => {
    const at = `/fields/${index}`
    const isRepeated = names.has(name)
    names.add(name)
    const problem = variable === null ? undefined : (problemWithVariable(variable) ?? (variables.has(variable) ? repeated : undefined))
    if (variable !== null) variables.add(variable)
    return [
      ...(isRepeated ? [{ path: `${at}/name`, message: 'must not be the name of two fields' }] : []),
      ...(problem === undefined ? [] : [{ path: `${at}/variable`, message: problem }]),
    ]
  })
  const bytes = fields.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0)
  if (bytes > maxValuesBytes) problems.push({ path: '/fields', message: `must have at most ${maxValuesBytes} bytes of values together` })
  if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
}

const repeated = 'must not be the variable of two fields'
