import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One recorded answer. */
export interface Recording {
  readonly name: string
  readonly kind: 'json' | 'sse'
  readonly bytes: Uint8Array
  readonly status: number
  /** The JSON documents of the answer: one, or one for each event. Read without the code under test. */
  readonly documents: readonly unknown[]
  readonly truncated: boolean
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The recorded completions answers of a folder of recordings. */
export interface Recordings {
  /** Those below a folder, sorted by name. */
  below(place: string): readonly Recording[]
  at(path: string): Recording
}

/** Opens the recordings: `fixtures` is absolute or relative to the repository's root. */
export function openRecordings(fixtures = '../shared/fixtures'): Recordings {
  const folder = join(resolve(root, fixtures), 'providers')
  return {
    at: (path) => readRecording(folder, path),
    below: (place) =>
      readdirSync(join(folder, place), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && !/\.(meta|request)\.json$/.test(entry.name) && !entry.parentPath.includes('xai-responses'))
        .map((entry) => readRecording(folder, relative(folder, join(entry.parentPath, entry.name))))
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
  }
}

function readRecording(folder: string, name: string): Recording {
  const path = join(folder, name)
  const text = readFileSync(path, 'utf8')
  const status = statusOf(path, text)
  const truncated = name.includes('derived-truncated')
  if (path.endsWith('.json')) return { name, kind: 'json', bytes: readFileSync(path), status, documents: [JSON.parse(text)], truncated }
  if (path.endsWith('.chunks.txt')) {
    const lines = text.trim().split('\n')
    const stream = `${lines.map((line) => `data: ${line}\n\n`).join('')}data: [DONE]\n\n`
    return {
      name,
      kind: 'sse',
      bytes: new TextEncoder().encode(stream),
      status,
      documents: lines.map((line) => JSON.parse(line)),
      truncated,
    }
  }
  return { name, kind: 'sse', bytes: readFileSync(path), status, documents: documentsOf(text), truncated }
}

/** The documents of whole events. */
export const documentsOf = (stream: string): readonly unknown[] =>
  stream
    .split(/\r?\n\r?\n/)
    .slice(0, -1)
    .flatMap((event) => event.split(/\r?\n/).filter((line) => line.startsWith('data:')))
    .map((line) => line.slice('data:'.length).trim())
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as unknown)

function statusOf(path: string, text: string): number {
  const meta = path.replace(/\.response\.\w+$/, '.meta.json')
  if (meta !== path && existsSync(meta)) return (JSON.parse(readFileSync(meta, 'utf8')) as { readonly status: number }).status
  return path.endsWith('.json') && text.includes('"error"') ? 400 : 200
}
