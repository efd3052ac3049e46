import { unsupportedParameterError } from '../openai-error.js'
import type { IgnoredFields } from './ignored-fields.js'

/** What clients of local servers send for no limit. */
const noLimit = -1

/**
 * A request without the limits that limit nothing, which are noted. `positive` are those that cannot be 0 either.
 * @throws `unsupported_parameter` naming the member.
 */
export function withoutNoLimits<Body extends object>(
  body: Body,
  { positive, others = [] }: { readonly positive: readonly string[]; readonly others?: readonly string[] },
  ignored: IgnoredFields,
): Body {
  for (const param of positive)
    if (memberOf(body, param) === 0) throw unsupportedParameterError.create({ param, reason: 'must be at least 1, or -1 for no limit.' })
  const unlimited = new Set([...positive, ...others].filter((name) => memberOf(body, name) === noLimit))
  if (unlimited.size === 0) return body
  for (const name of unlimited) ignored.add(name)
  return Object.fromEntries(Object.entries(body).filter(([name]) => !unlimited.has(name))) as Body
}

const memberOf = (body: object, name: string): unknown => (body as Readonly<Record<string, unknown>>)[name]
