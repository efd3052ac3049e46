/** The series of one metric. */
export const maxSeries = 500
/** A longer value of a label is cut, in UTF-16 code units. */
const maxValueLength = 100

/** What a metric has counted, by the values of its labels. */
export interface Series<Value> {
  /** The value of a series; it begins when it is first asked for. */
  of(labels: Readonly<Record<string, string>>): Value
  entries(): Iterable<{ readonly labels: Readonly<Record<string, string>>; readonly value: Value }>
}

/**
 * At most {@link maxSeries}: combinations that come later share one series in which each label is
 * `other`. A label that is not given is empty.
 */
export function createSeries<Value>(labelNames: readonly string[], begin: () => Value): Series<Value> {
  const known = new Map<string, { readonly labels: Readonly<Record<string, string>>; readonly value: Value }>()
  const enter = (key: string, values: readonly string[]): Value => {
    const labels = Object.fromEntries(labelNames.map((name, index) => [name, values[index] ?? '']))
    const value = begin()
    known.set(key, { labels, value })
    return value
  }
  return {
    of(labels) {
      const values = labelNames.map((name) => String(labels[name] ?? '').slice(0, maxValueLength))
      const key = values.join('\u0000')
      const there = known.get(key)
      if (there) return there.value
      if (known.size < maxSeries - 1 || labelNames.length === 0) return enter(key, values)
      const others = labelNames.map(() => 'other')
      const otherKey = others.join('\u0000')
      return known.get(otherKey)?.value ?? enter(otherKey, others)
    },
    entries: () => known.values(),
  }
}
