/** Items that make more than four million characters of JSON: many small values, which take longest to parse and to hand over. */
export const smallObjects = (): readonly unknown[] =>
  Array.from({ length: 60_000 }, (_, index) => ({ index, name: `item ${index}`, tags: ['a', 'b'], nested: { deep: [1, null, true, 'ü'] } }))
