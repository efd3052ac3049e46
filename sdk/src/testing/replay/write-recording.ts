import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { JsonValue } from '../../core/json.js'
import { eventDocuments } from './event-documents.js'
import { holdsSecret, scrubAddress, scrubHeaders, scrubText } from './scrub.js'

/** A larger request, usually one with media, is omitted from its recording. In bytes. */
const requestLimit = 512 * 1024

/** A request and its answer. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Headers
  readonly request: Uint8Array
  readonly response: Uint8Array
}

const endings: Readonly<Record<string, 'sse' | 'ndjson' | 'bin'>> = {
  'text/event-stream': 'sse',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/vnd.amazon.eventstream': 'bin',
}

const endingOf = ({ responseHeaders }: Exchange): 'sse' | 'ndjson' | 'bin' | 'json' =>
  endings[responseHeaders.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''] ?? 'json'

/** Why an exchange is not recorded; `undefined` if it may be. */
export function refuseExchange(exchange: Exchange, secrets: readonly string[]): string | undefined {
  const texts = textsOf(exchange, secrets)
  if (texts === undefined) return 'its answer is not JSON'
  const leaks = filesOf('', exchange, secrets).some(([, content]) => holdsSecret(Buffer.from(content), texts, secrets))
  return leaks ? 'a secret would remain in its files' : undefined
}

/** Writes the files of an exchange. */
export async function writeExchange(folder: string, name: string, exchange: Exchange, secrets: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [file, content] of filesOf(name, exchange, secrets)) await writeFile(path.join(folder, file), content)
}

function filesOf(name: string, exchange: Exchange, secrets: readonly string[]): readonly (readonly [string, string | Uint8Array])[] {
  const ending = endingOf(exchange)
  const request = scrubbedRequest(exchange, secrets)
  const meta = {
    method: exchange.method,
    url: scrubAddress(exchange.url, secrets),
    status: exchange.status,
    requestHeaders: exchange.requestHeaders,
    responseHeaders: scrubHeaders(exchange.responseHeaders, secrets),
    requestOmitted: 'omitted' in request ? request.omitted : null,
  }
  // Frames have checksums: a changed byte would break them. They are written unchanged, or not at
  // all.
  const response = ending === 'bin' ? exchange.response : scrubText(Buffer.from(exchange.response).toString(), secrets)
  return [
    ...('text' in request ? [[`${name}.request.json`, request.text] as const] : []),
    [`${name}.response.${ending}`, response],
    [`${name}.meta.json`, `${scrubText(JSON.stringify(meta, undefined, 1), secrets)}\n`],
  ]
}

function scrubbedRequest({ request }: Exchange, secrets: readonly string[]): { readonly text: string } | { readonly omitted: string } {
  if (request.byteLength > requestLimit) return { omitted: `larger than ${requestLimit} bytes` }
  const text = Buffer.from(request).toString()
  return parsed(text) === undefined ? { omitted: 'no JSON' } : { text: scrubText(text, secrets) }
}

/**
 * All texts of an answer joined, to find a secret that came in pieces; `undefined` for an invalid
 * answer.
 */
function textsOf(exchange: Exchange, secrets: readonly string[]): string | undefined {
  const ending = endingOf(exchange)
  if (ending === 'bin') return ''
  const text = scrubText(Buffer.from(exchange.response).toString(), secrets)
  const lines = ending === 'sse' ? undefined : ending === 'ndjson' ? text.split('\n').filter((line) => line.trim() !== '') : [text]
  try {
    const documents = lines === undefined ? eventDocuments(text) : lines.map((line) => JSON.parse(line) as JsonValue)
    return stringsByPath(documents)
  } catch {
    return undefined
  }
}

/** The texts at each path of the documents, joined in order: deltas of one part have one path. */
function stringsByPath(documents: readonly JsonValue[]): string {
  const texts = new Map<string, string>()
  const visit = (value: JsonValue, place: string): void => {
    if (typeof value === 'string') texts.set(place, (texts.get(place) ?? '') + value)
    else if (Array.isArray(value)) for (const [index, member] of value.entries()) visit(member as JsonValue, `${place}/${index}`)
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) visit(member, `${place}/${name}`)
  }
  // A document in one piece is already scrubbed; only pieces can hide a secret.
  if (documents.length > 1) for (const document of documents) visit(document, '')
  return [...texts.values()].join('\n')
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
