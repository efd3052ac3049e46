import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { JsonObject, JsonValue } from '../../core/json.js'
import { eventDocuments } from './event-documents.js'

/** The framing of a recorded answer. */
export type RecordingKind = 'json' | 'sse' | 'ndjson' | 'eventstream'

/** One recorded answer of a provider, and the request that led to it. */
export interface Recording {
  /** Its path below the folder, without the ending. */
  readonly name: string
  /** How it is framed. */
  readonly kind: RecordingKind
  /** Its status and headers. */
  readonly contentType: string
  /** Of the answer. */
  readonly status: number
  /** Its recorded headers; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as the wire had it. */
  readonly bytes: Uint8Array
  /**
   * The JSON documents of the body, read without any adapter: one, or one for each event or line.
   * Empty for binary frames. @throws if one is not JSON.
   */
  readonly documents: readonly JsonValue[]
  /** The address of the request, if it was recorded. */
  readonly url: string | undefined
  /** The body of the request, if it was recorded. */
  readonly request: JsonObject | undefined
  /** It is the beginning of another recording, cut inside an event. */
  readonly truncated: boolean
}

/** A folder of recordings. */
export interface Recordings {
  /** Those below a folder of it, sorted by name. */
  below(place: string): readonly Recording[]
  /** One of them, by its path with its ending. @throws if it does not exist. */
  at(file: string): Recording
}

const contentTypes: Readonly<Record<RecordingKind, string>> = {
  json: 'application/json',
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  eventstream: 'application/vnd.amazon.eventstream',
}

/**
 * Opens a folder of recordings. An answer is `NAME.response.{json,sse,ndjson,bin}` with
 * `NAME.request.json` and `NAME.meta.json` (`method`, `url`, `status`, `responseHeaders`) beside it
 * if they were kept; also `NAME.json`, an answer in one piece, and `NAME.chunks.txt`, the data of
 * each event on a line. {@link recordAnswers} writes the first kind.
 */
export function openRecordings(folder: string): Recordings {
  return {
    at: (file) => readRecording(folder, file),
    below: (place) =>
      readdirSync(path.join(folder, place), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && !/\.(meta|request)\.json$/.test(entry.name))
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .sort()
        .map((file) => readRecording(folder, file)),
  }
}

function readRecording(folder: string, file: string): Recording {
  const full = path.join(folder, file)
  const bytes = readFileSync(full)
  const base = full.replace(/(\.response)?\.(json|sse|ndjson|bin)$|\.chunks\.txt$/, '')
  const meta = readJson(`${base}.meta.json`)
  const kind = kindOf(file)
  const text = kind === 'eventstream' ? '' : bytes.toString('utf8')
  const headers = textsOf(meta?.['responseHeaders'])
  const status = typeof meta?.['status'] === 'number' ? meta['status'] : kind === 'json' && text.includes('"error"') ? 400 : 200
  const url = meta?.['url']
  let documents: readonly JsonValue[] | undefined
  return {
    name: path.relative(folder, base),
    kind,
    contentType: headers['content-type'] ?? contentTypes[kind],
    status,
    headers,
    bytes: file.endsWith('.chunks.txt') ? Buffer.from(streamOfChunks(text)) : bytes,
    get documents() {
      documents ??= documentsOf(file, kind, text)
      return documents
    },
    url: typeof url === 'string' ? url : undefined,
    request: readJson(`${base}.request.json`),
    truncated: file.includes('derived-truncated'),
  }
}

const kindOf = (file: string): RecordingKind => {
  if (file.endsWith('.json')) return 'json'
  if (file.endsWith('.ndjson')) return 'ndjson'
  return file.endsWith('.bin') ? 'eventstream' : 'sse'
}

const streamOfChunks = (text: string): string =>
  `${linesOf(text)
    .map((line) => `data: ${line}\n\n`)
    .join('')}data: [DONE]\n\n`

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')

function documentsOf(file: string, kind: RecordingKind, text: string): readonly JsonValue[] {
  const isCut = file.includes('derived-truncated')
  if (kind === 'json') return [JSON.parse(text) as JsonValue]
  if (file.endsWith('.chunks.txt')) return linesOf(text).map((line) => JSON.parse(line) as JsonValue)
  if (kind === 'ndjson') return (isCut ? text.split('\n').slice(0, -1) : linesOf(text)).map((line) => JSON.parse(line) as JsonValue)
  return kind === 'sse' ? eventDocuments(text) : []
}

const readJson = (file: string): JsonObject | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JsonObject) : undefined

function textsOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([name, text]) => [name.toLowerCase(), text]),
  )
}
