/**
 * Items of more than four million characters of JSON: many small values, which take longest to
 * parse and to pass on.
 */
export const smallObjects = (): readonly unknown[] =>
  Array.from({ length: 60_000 }, (_, index) => ({ index, name: `item ${index}`, tags: ['a', 'b'], nested: { deep: [1, null, true, 'ü'] } }))
