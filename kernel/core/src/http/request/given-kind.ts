import type { Problem } from '@agent-service/sdk'

/** Expectations of a type or a choice; of other expectations the type of the value says nothing. */
const expectsType = /^must be (?!at |more |less |empty|a multiple )/

/**
 * What was given in place of what a problem expects: `a string`, `a list`. `undefined` if there is
 * nothing, or if the problem is not one of types. Never the value itself.
 */
export function givenKind(value: unknown, problem: Problem | undefined): string | undefined {
  if (!problem || !expectsType.test(problem.message)) return undefined
  const names = problem.path.split('/').slice(1)
  const segments = problem.path === '/' ? [] : names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  let at = value
  for (const segment of segments) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[segment]
  }
  return kindOf(at)
}

function kindOf(value: unknown): string | undefined {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      return 'a string'
    case 'number':
      return 'a number'
    case 'boolean':
      return String(value)
    case 'object':
      return 'an object'
    default:
      return undefined
  }
}
