/**
 * The approximate weight of a slice: 32 for a node, 1 for a character. It is parsed within a few
 * milliseconds.
 */
const sliceWeight = 64 * 1024

/** Adjacent items or members of one list or object. */
export interface JsonSlice {
  /** The number of their list or object; 0 is a list whose only item is the whole value. */
  readonly container: number
  /** The names of the members of an object. */
  readonly names?: readonly string[]
  readonly values: readonly unknown[]
  /**
   * The indexes of values that are left empty here: they are the next containers and have slices of
   * their own.
   */
  readonly emptied: readonly number[]
  /** More of the string that was added last to this list or object; the slice has nothing else. */
  readonly more?: string
}

type Container = readonly unknown[] | Readonly<Record<string, unknown>>

/** Cuts a JSON value into slices that can be parsed one by one. Only names of members are not cut. */
export function* cutIntoSlices(whole: unknown): Generator<JsonSlice> {
  const containers: Container[] = [[whole]]
  // The list grows during the loop.
  for (const [container, content] of containers.entries()) {
    const isList = Array.isArray(content)
    let weight = 0
    let slice = emptySlice(container, isList)
    for (const [name, value] of isList ? content.entries() : Object.entries(content)) {
      const isLong = typeof value === 'string' && value.length > sliceWeight
      const own = isLong ? sliceWeight : weigh(value, sliceWeight)
      const isHeavy = own > sliceWeight && typeof value === 'object'
      const more = (isHeavy ? 32 : own) + String(name).length
      if (slice.values.length > 0 && weight + more > sliceWeight) {
        yield slice
        slice = emptySlice(container, isList)
        weight = 0
      }
      if (isHeavy) {
        slice.emptied.push(slice.values.length)
        containers.push(value as Container)
      }
      slice.names?.push(String(name))
      slice.values.push(isHeavy ? emptyLike(value) : isLong ? value.slice(0, sliceWeight) : value)
      weight += more
      if (!isLong) continue
      yield slice
      for (let from = sliceWeight; from < value.length; from += sliceWeight)
        yield { ...emptySlice(container, isList), more: value.slice(from, from + sliceWeight) }
      slice = emptySlice(container, isList)
      weight = 0
    }
    yield slice
  }
}

/** Rebuilds a value from its slices, which have to be added in order. */
export function createJsonBuilder(): { add(slice: JsonSlice): void; value(): unknown } {
  const whole: unknown[] = []
  const containers: (unknown[] | Record<string, unknown>)[] = [whole]
  let last: string | number = 0
  return {
    add({ container, names, values, emptied, more }) {
      const target = containers[container]
      // The pieces of a string are joined when it is first used, in one go and without parsing.
      if (more !== undefined && target) return void append(target, last, more)
      if (Array.isArray(target)) last = target.length + values.length - 1
      else last = names?.at(-1) ?? ''
      for (const [index, value] of values.entries()) {
        if (Array.isArray(target)) target.push(value)
        else if (target) setMember(target, names?.[index] ?? '', value)
      }
      for (const index of emptied) containers.push(values[index] as unknown[] | Record<string, unknown>)
    },
    value: () => whole[0],
  }
}

function append(target: unknown[] | Record<string | number, unknown>, place: string | number, more: string): void {
  const members = target as Record<string | number, unknown>
  setMember(members, place, `${String(members[place])}${more}`)
}

/** An assignment to `__proto__` would change the prototype, of an object that others may have made. */
function setMember(target: Record<string | number, unknown>, name: string | number, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
  else target[name] = value
}

const emptySlice = (container: number, isList: boolean) => ({
  ...{ container, values: [] as unknown[], emptied: [] as number[] },
  ...(isList ? {} : { names: [] as string[] }),
})
const emptyLike = (value: unknown): unknown => (Array.isArray(value) ? [] : {})

/** The weight of a value; stops counting above `max`. */
function weigh(value: unknown, max: number): number {
  if (typeof value === 'string') return 32 + value.length
  if (typeof value !== 'object' || value === null) return 32
  let weight = 32
  if (Array.isArray(value)) {
    for (const item of value) {
      weight += weigh(item, max - weight)
      if (weight > max) break
    }
    return weight
  }
  for (const name in value) {
    weight += name.length + weigh((value as Readonly<Record<string, unknown>>)[name], max - weight)
    if (weight > max) break
  }
  return weight
}
