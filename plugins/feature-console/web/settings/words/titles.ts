import { language } from '@agent-service/sdk/web'
import { germanSections, germanTitles } from './titles-de.js'

/** A title, and whether it is in the language of the page. */
export interface Title {
  readonly text: string
  readonly isTranslated: boolean
}

/** How abbreviations and words of names are written. */
const words: Readonly<Record<string, string>> = {
  api: 'API',
  aws: 'AWS',
  azure: 'Azure',
  cors: 'CORS',
  cpu: 'CPU',
  dir: 'folder',
  ehlo: 'EHLO',
  id: 'ID',
  mcp: 'MCP',
  otlp: 'OTLP',
  pkm: 'PKM',
  sse: 'SSE',
  ttl: 'lifetime',
  url: 'URL',
  ws: 'WebSocket',
}

/** Names that the product has words of its own for. */
const names: Readonly<Record<string, string>> = {
  extra_params: 'Custom request parameters',
  timezone: 'Time zone',
}

/** Words at the end of a name that its unit says already. */
const unitWords = /_(secs|ms|pct|bytes|days)$/

/**
 * The title of a setting or section. The schema has English titles; German ones stand in a table by
 * the last part of the path, since the same names recur in many sections. Titles that a plugin chose
 * itself, and those of plugins that the table does not know, stay as they are.
 */
export function titleOf(name: string, given: string | undefined, isSection = false): Title {
  const isChosen = given !== undefined && given !== plainTitle(name) && !given.startsWith('Entry of ')
  const english = isChosen ? given : readableTitle(name)
  if (language() === 'en') return { text: english, isTranslated: true }
  const german = (isSection ? germanSections[name] : undefined) ?? (isChosen && !isSection ? undefined : germanTitles[name])
  return { text: german ?? english, isTranslated: german !== undefined }
}

/** What the service makes of a name when a plugin gives no title. */
function plainTitle(name: string): string {
  const text = name.replaceAll(/[_-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function readableTitle(name: string): string {
  const own = names[name]
  if (own !== undefined) return own
  const text = name
    .replace(unitWords, '')
    .split(/[_-]+/)
    .map((word) => words[word] ?? word)
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
