import type { Problem } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import { problemWithVariable, variableFor } from '../common/environment-names.js'
import type { GrantField } from '../store/grant.js'

/** A field as its credential has it. */
export interface SourceField {
  readonly name: string
  readonly secret: boolean
  /** The variable that the credential suggests. */
  readonly variable?: string | null
  readonly as?: 'value' | 'file'
}

/** Where processes are to find a field. */
export interface Binding {
  readonly field: string
  /** Null: in no variable. */
  readonly variable: string | null
  readonly as?: 'value' | 'file'
}

/**
 * The fields of a grant. Without bindings each field gets the variable that its credential
 * suggests, or else one made of both names, as far as that is permitted and free. With bindings a
 * field that they leave out has no variable. @throws `invalid_request` with each problem.
 */
export function bindFields(
  name: string,
  fields: readonly SourceField[],
  { bindings, taken }: { readonly bindings?: readonly Binding[] | undefined; readonly taken: ReadonlySet<string> },
): readonly GrantField[] {
  if (bindings === undefined) return withDefaults(name, fields, taken)
  const problems = problemsWith(fields, bindings, taken)
  if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
  return fields.map((field) => {
    const binding = bindings.find((each) => each.field === field.name)
    return { name: field.name, secret: field.secret, variable: binding?.variable ?? null, as: binding?.as ?? field.as ?? 'value' }
  })
}

function withDefaults(name: string, fields: readonly SourceField[], taken: ReadonlySet<string>): readonly GrantField[] {
  const used = new Set(taken)
  return fields.map((field) => {
    const wanted = field.variable ?? variableFor(name, field.name)
    const variable = wanted === null || used.has(wanted) || problemWithVariable(wanted) !== undefined ? null : wanted
    if (variable !== null) used.add(variable)
    return { name: field.name, secret: field.secret, variable, as: field.as ?? 'value' }
  })
}

function problemsWith(fields: readonly SourceField[], bindings: readonly Binding[], taken: ReadonlySet<string>): readonly Problem[] {
  const names = new Set(fields.map(({ name }) => name))
  const [seenFields, seenVariables] = [new Set<string>(), new Set<string>()]
  return bindings.flatMap(({ field, variable }, index) => {
    const problems: Problem[] = []
    const add = (member: string, message: string): void => void problems.push({ path: `/bindings/${index}/${member}`, message })
    if (!names.has(field)) add('field', `must be a field of the credential: ${[...names].slice(0, 30).join(', ')}`)
    if (seenFields.has(field)) add('field', 'must not be bound twice')
    seenFields.add(field)
    if (variable === null) return problems
    const problem = problemWithVariable(variable)
    if (problem !== undefined) add('variable', problem)
    else if (seenVariables.has(variable)) add('variable', 'must not be the variable of two fields')
    else if (taken.has(variable)) add('variable', `must not be “${variable}”, which another grant of this agent has`)
    seenVariables.add(variable)
    return problems
  })
}
