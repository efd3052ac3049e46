const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * The new value, made of the objects of the old one wherever they are equal: what shows them stays as it is. Only plain objects and
 * arrays are compared; of an array, the items at the same place.
 */
export function withSameParts<Value>(before: unknown, after: Value): Value {
  if (Object.is(before, after)) return after
  if (Array.isArray(before) && Array.isArray(after)) return sameItems(before, after) as Value
  return isPlain(before) && isPlain(after) ? (sameMembers(before, after) as Value) : after
}

function sameItems(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  const items = after.map((item, index) => withSameParts(before[index], item))
  return items.length === before.length && items.every((item, index) => Object.is(item, before[index])) ? before : items
}

function sameMembers(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): object {
  const members = Object.entries(after).map(([name, member]) => [name, withSameParts(before[name], member)] as const)
  const isSame =
    members.length === Object.keys(before).length && members.every(([name, member]) => name in before && Object.is(member, before[name]))
  return isSame ? before : Object.fromEntries(members)
}
