import { isObject, listAt, objectAt, parseJson, type Refusal, readErrorText, textAt } from '@agent-service/sdk/provider-kit'
import { LRUCache } from 'lru-cache'

/** How many endpoints are remembered at most. */
const memoryLimit = 256

/** Remembers which fields an endpoint refuses for a model; they are left out from then on. */
export interface RefusedFields {
  /** Dotted paths of the body. Empty if nothing was refused. */
  of(place: string): ReadonlySet<string>
  /** Adds one; false when it is known already. */
  add(place: string, field: string): boolean
}

/** Makes an empty memory. If there are too many, the least recently used endpoint is forgotten. */
export function createRefusedFields(): RefusedFields {
  const places = new LRUCache<string, ReadonlySet<string>>({ max: memoryLimit })
  const none: ReadonlySet<string> = new Set()
  return {
    of: (place) => places.get(place) ?? none,
    add(place, field) {
      const known = places.get(place)
      if (known?.has(field)) return false
      places.set(place, new Set([...(known ?? []), field]))
      return true
    },
  }
}

/** Which fields may be left out of a request that was refused because of them. */
export interface OmissibleFields {
  /** Fields that may be dropped for any reason. */
  readonly hints: readonly string[]
  /** Fields that may be dropped if the endpoint does not support them. */
  readonly unknown: readonly string[]
}

const unsupportedWords = /not support|unsupported|not (permitted|allowed)|must be verified|not available|cannot be used/i
const unknownWords = /unrecogni[sz]ed|unknown|extra|additional propert|unexpected|not permitted/i

/** The field that a refusal (400 or 422) names, if it may be left out. */
export function fieldRefused({ status, text }: Refusal, { hints, unknown }: OmissibleFields): string | undefined {
  if (status !== 400 && status !== 422) return undefined
  const { message } = readErrorText(text)
  const isUnknown = unknownWords.test(message)
  if (!isUnknown && !unsupportedWords.test(message)) return undefined
  const candidates = isUnknown ? [...hints, ...unknown] : hints
  const named = parameterOf(text)
  if (named !== undefined) return candidates.find((field) => field === named)
  // The first one: what follows is usually advice.
  return candidates
    .map((field) => ({ field, at: message.search(new RegExp(`(^|[^\\w.])${field.replaceAll(/[^\w]/g, '\\$&')}($|[^\\w])`)) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)[0]?.field
}

/** The parameter that the error body names. */
function parameterOf(text: string): string | undefined {
  const body = parseJson(text)
  const parameter = textAt(objectAt(body, 'error'), 'param') ?? textAt(body, 'param')
  if (parameter !== undefined) return parameter
  const detail = listAt(body, 'detail')[0]
  const place = isObject(detail) ? listAt(detail, 'loc').filter((step) => typeof step === 'string' && step !== 'body') : []
  return place.length > 0 ? place.join('.') : undefined
}

/** The body without refused fields; a member of an object by its dotted path. */
export function withoutFields<Body extends Readonly<Record<string, unknown>>>(body: Body, refused: ReadonlySet<string>): Body {
  if (refused.size === 0) return body
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    if (refused.has(name)) continue
    const inner = new Set([...refused].filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1)))
    const result = inner.size > 0 && isObject(value) ? withoutFields(value, inner) : value
    const isEmptied = result !== value && isObject(result) && Object.keys(result).length === 0
    if (!isEmptied) Object.defineProperty(kept, name, { value: result, enumerable: true, configurable: true, writable: true })
  }
  return kept as Body
}
