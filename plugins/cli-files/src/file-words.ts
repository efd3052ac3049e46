import type { JsonObject, JsonValue } from '@agent-service/sdk'

export const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : []

/** The query of a request. */
export const queryOf = (values: Readonly<Record<string, string>>): string => new URLSearchParams(values).toString()

/** A number of bytes for people. */
export function sizeText(bytes: JsonValue | undefined): string {
  let [size, unit] = [Number(bytes ?? 0), 'B']
  for (const next of ['kB', 'MB', 'GB', 'TB']) {
    if (size < 1_000) break
    size /= 1_000
    unit = next
  }
  return `${unit === 'B' ? size : size.toFixed(1)} ${unit}`
}

/** A time of the API for people: UTC, to the second. */
export const shownTime = (time: JsonValue | undefined): string =>
  typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 19)}` : ''

/** The row of an entry in a table. */
export const rowOf = (entry: JsonObject, name: JsonValue | undefined = entry['name']): readonly string[] => [
  `${String(name)}${entry['kind'] === 'folder' ? '/' : ''}`,
  entry['kind'] === 'file' ? sizeText(entry['size']) : String(entry['kind']),
  shownTime(entry['modified_at']),
]

const maxListed = 1_000

/** All pages of a list, up to a thousand items. */
export async function allPages(
  request: (method: string, path: string) => Promise<JsonValue>,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<{ readonly items: readonly JsonObject[]; readonly isCut: boolean }> {
  const items: JsonObject[] = []
  let cursor: JsonValue | undefined
  do {
    const page = objectOf(
      await request('GET', `${path}?${queryOf({ ...query, limit: '200', ...(typeof cursor === 'string' && { cursor }) })}`),
    )
    items.push(...listOf(page['items']))
    cursor = page['next_cursor']
  } while (typeof cursor === 'string' && items.length < maxListed)
  return { items, isCut: typeof cursor === 'string' }
}
