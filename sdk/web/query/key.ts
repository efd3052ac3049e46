/**
 * Names what is read, from general to particular: `['tasks', { status }]`, `['task', id]`. The parts are JSON. The same key is the
 * same value in the whole page.
 */
export type QueryKey = readonly unknown[]

/** Members in one order, so that equal parts have equal texts. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

const partText = (part: unknown): string => JSON.stringify(part, sorted) ?? 'null'

/** The text of a key; equal keys have equal texts. */
export const keyText = (key: QueryKey): string => key.map(partText).join('\n')

/** Whether two keys name the same. */
export const isSameKey = (one: QueryKey | undefined, other: QueryKey | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && keyText(one) === keyText(other))

/** Whether a key, by its text, begins with the parts of another: `['task', id]` begins with `['task']`, and all begin with `[]`. */
export const beginsWith = (text: string, key: QueryKey): boolean => key.length === 0 || `${text}\n`.startsWith(`${keyText(key)}\n`)
