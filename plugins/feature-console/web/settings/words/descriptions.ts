import { language, loadPart } from '@agent-service/sdk/web'
import { createSignal } from 'solid-js'

/** Words of the schema, and whether they are in the language of the page. */
export interface Words {
  readonly text: string
  readonly isTranslated: boolean
}

type German = typeof import('./descriptions-de.js')

const [german, setGerman] = createSignal<German>()
let loading: Promise<void> | undefined

/** Loads the German words where the page needs them; without them the English ones are shown. */
export async function loadDescriptions(): Promise<void> {
  if (language() !== 'de') return
  loading ??= loadPart(() => import('./descriptions-de.js')).then((module) => void setGerman(() => module))
  try {
    await loading
  } catch {
    loading = undefined
  }
}

const perProtocol = /\s*With api: ([^.]*)\.$/

/**
 * The description at a path in the language of the page. German ones stand in a table by the path,
 * the names of entries left out; those of plugins that the table does not know stay English.
 */
export function descriptionOf(parts: readonly string[], english: string): Words {
  if (language() === 'en' || english === '') return { text: english, isTranslated: true }
  const table = german()?.germanDescriptions
  const found = table?.[parts.join('.')] ?? table?.[patternOf(parts)]
  if (found === undefined) return { text: english, isTranslated: false }
  const protocols = perProtocol.exec(english)?.[1]
  return { text: protocols === undefined ? found : `${found} Mit api: ${protocols}.`, isTranslated: true }
}

/** Why a setting has no effect, in the language of the page. */
export function reasonOf(english: string): Words {
  if (language() === 'en' || english === '') return { text: english, isTranslated: true }
  const found = german()?.germanReasons[english]
  return { text: found ?? english, isTranslated: found !== undefined }
}

/** Sections whose members people name. */
const maps: ReadonlySet<string> = new Set(['models', 'providers'])

function patternOf([section = '', name, ...rest]: readonly string[]): string {
  if (name === undefined || !maps.has(section)) return [section, ...(name === undefined ? [] : [name]), ...rest].join('.')
  // The models to fall back to have the settings of their group.
  const inside = rest[0] === 'fallbacks' && rest.length > 1 ? rest.slice(2) : rest
  return [section, '*', ...inside].join('.')
}
