import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { isObject, textAt } from '@agent-service/sdk/provider-kit'

/** The largest index of a list that is accepted. */
const indexLimit = 10_000

/**
 * Puts pieces of streamed arguments (`partialArgs`) into place: each names a value by its path,
 * `$.operations[0].price`, and a text goes on where the last one ended. Changes `target`. A path
 * that cannot be read is left out.
 */
export function addPartialArguments(target: Record<string, JsonValue>, pieces: readonly JsonValue[]): void {
  for (const piece of pieces) {
    const path = isObject(piece) ? pathOf(textAt(piece, 'jsonPath') ?? '') : undefined
    if (isObject(piece) && path) put(target, path, piece)
  }
}

type Place = Record<string, JsonValue> | JsonValue[]

function put(target: Place, [name, ...rest]: readonly (string | number)[], piece: JsonObject): void {
  if (name === undefined || Array.isArray(target) !== (typeof name === 'number')) return
  const place = target as Record<string | number, JsonValue>
  const known = Object.hasOwn(place, name) ? place[name] : undefined
  if (rest.length > 0) {
    const next = typeof known === 'object' && known !== null ? known : typeof rest[0] === 'number' ? [] : {}
    define(place, name, next)
    put(next as Place, rest, piece)
    return
  }
  const value = valueIn(piece)
  if (value !== undefined) define(place, name, typeof known === 'string' && typeof value === 'string' ? known + value : value)
}

/** A plain assignment to `__proto__` would set the prototype instead of a member. */
const define = (place: Record<string | number, JsonValue>, name: string | number, value: JsonValue): void => {
  Object.defineProperty(place, name, { value, enumerable: true, configurable: true, writable: true })
}

function valueIn(piece: JsonObject): JsonValue | undefined {
  if ('nullValue' in piece) return null
  return piece['stringValue'] ?? piece['numberValue'] ?? piece['boolValue']
}

/** `$.a[0].b` or `$['a'][0]`, from the root on. */
function pathOf(text: string): readonly (string | number)[] | undefined {
  if (!text.startsWith('$')) return undefined
  const steps: (string | number)[] = []
  let rest = text.slice(1)
  while (rest !== '') {
    const step = /^\.([^.[\]]+)|^\[(\d+)\]|^\[(['"])(.*?)\3\]/.exec(rest)
    if (!step) return undefined
    const index = step[2] === undefined ? undefined : Number(step[2])
    if (index !== undefined && index > indexLimit) return undefined
    steps.push(index ?? step[1] ?? step[4] ?? '')
    rest = rest.slice(step[0].length)
  }
  return steps.length === 0 ? undefined : steps
}
