import { currentQuery } from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { createMemo, createSignal, on } from 'solid-js'
import { addedEntries, type Edits } from '../../settings/model/edits.js'
import { hasWords } from '../../settings/model/findings.js'
import { allSettings, type Row, rowsOf, sectionsOf } from '../../settings/model/layout.js'

export type ShownRows = ReturnType<typeof createShownRows>

/** Which lines the page has: those of a section, what a search finds, or all that is set. */
export function createShownRows(configuration: () => Configuration, edits: () => Edits) {
  const [search, setSearch] = createSignal('')
  const [scope, setScope] = createSignal<'all' | 'set'>('all')
  // What decides about the rows: added entries and the protocols that were chosen.
  const shape = createMemo(() => {
    const variants = Object.entries(edits()).filter(([path]) => path.endsWith('.api'))
    return JSON.stringify([addedEntries(edits()), variants.map(([path, { value }]) => [path, value])])
  })
  const entered = (path: string): unknown => edits()[path]?.value
  const added = createMemo(on(shape, () => addedEntries(edits())))
  const sections = createMemo(() => sectionsOf(configuration()))
  const settings = createMemo(() => {
    shape()
    return allSettings(configuration(), added(), entered)
  })
  const section = (): string => {
    const asked = currentQuery().get('section')
    return sections().find(({ name }) => name === asked)?.name ?? 'server'
  }
  // What has no effect yet is offered where something was set for it, or where it was asked for.
  const offered = createMemo(() => {
    const set = new Set(settings().flatMap(({ source, path, parts }) => (source !== 'default' || edits()[path] ? [parts[0]] : [])))
    return sections().filter(({ name, noEffect }) => noEffect.text === '' || set.has(name) || name === section())
  })
  const isFlat = (): boolean => search().trim() !== '' || scope() === 'set'
  const rows = createMemo((): readonly Row[] => {
    shape()
    if (!isFlat()) return rowsOf(configuration(), section(), added(), entered)
    const names = new Set<string | undefined>(offered().map(({ name }) => name))
    const words = search().toLowerCase().split(/\s+/).filter(Boolean)
    return settings()
      .filter(({ parts }) => names.has(parts[0]))
      .filter((setting) => (scope() === 'all' || setting.source !== 'default' || edits()[setting.path]) && hasWords(setting, words))
      .map((setting) => ({ kind: 'setting', id: `s:${setting.path}`, setting }))
  })
  const showAll = (): void => {
    setSearch('')
    setScope('all')
  }
  return { search, setSearch, scope, setScope, sections, offered, settings, section, isFlat, rows, showAll }
}
