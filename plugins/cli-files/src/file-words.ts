import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { shownTime } from '@agent-service/sdk/contracts/cli-command'

/** The query of a request. */
export const queryOf = (values: Readonly<Record<string, string>>): string => new URLSearchParams(values).toString()

/** A path as a person types it: below “files”, unless it names one of the two top folders. */
export const pathOf = (typed: string): string => (/^(files|workspaces)(\/|$)/.test(typed) ? typed : `files/${typed}`)

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

/** The row of an entry in a table. */
export const rowOf = (entry: JsonObject, name: JsonValue | undefined = entry['name']): readonly string[] => [
  `${String(name)}${entry['kind'] === 'folder' ? '/' : ''}`,
  entry['kind'] === 'file' ? sizeText(entry['size']) : String(entry['kind']),
  shownTime(entry['modified_at'], 'second'),
]
