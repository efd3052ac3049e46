import type { Row } from './layout.js'
import { isWithin } from './schema.js'
import type { Setting } from './setting.js'

/** What is wrong with the file, at a path; the service says it in English. */
export interface Finding {
  readonly path: string
  readonly message: string
}

/** The words of a finding at a setting, with the place inside the setting's value. */
export const insideText = ({ path, message }: Finding, setting: string): string =>
  path.length > setting.length ? `${path.slice(setting.length).replace(/^\./, '')}: ${message}` : message

/** The setting that a path belongs to: itself, or the one around it. */
export const ownerOf = (path: string, settings: ReadonlyMap<string, Setting>): string | undefined =>
  [...settings.keys()].filter((each) => isWithin(path, each)).sort((one, other) => other.length - one.length)[0]

/** The findings by the setting or entry that they are shown at; under the empty text those without one. */
export function placeFindings(
  findings: readonly Finding[],
  settings: ReadonlyMap<string, Setting>,
  rows: readonly Row[],
): ReadonlyMap<string, readonly Finding[]> {
  const entries = rows.flatMap((row) => (row.kind === 'entry' ? [row.path] : []))
  const placed = new Map<string, readonly Finding[]>()
  for (const finding of findings) {
    const key = ownerOf(finding.path, settings) ?? entries.find((entry) => isWithin(finding.path, entry)) ?? ''
    const known = placed.get(key) ?? []
    if (!known.some(({ message }) => message === finding.message)) placed.set(key, [...known, finding])
  }
  return placed
}

/** Whether a setting has all words in its names, its path, its variable or its meaning. */
export function hasWords(setting: Setting, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const titles = [...setting.around, setting.title].map(({ text }) => text)
  const text = [...titles, setting.path, setting.variable, setting.parts.join(' ').replaceAll('_', ' '), setting.help.text]
    .join(' ')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}
