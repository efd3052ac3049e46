import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')

/** The folder of recordings: `FIXTURES_DIR`, else `../shared/fixtures` beside the repository. */
export const fixturesFolder = path.resolve(repository, process.env['FIXTURES_DIR'] ?? '../shared/fixtures')

/** One answer of a provider, as it came over the wire. */
export interface Recording {
  readonly name: string
  readonly kind: 'stream' | 'whole'
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
  /** Cut in the middle: what a dropped connection leaves. */
  readonly truncated: boolean
}

/** The chat-completion recordings of a folder below `providers`. */
export function readRecordings(folder: string): readonly Recording[] {
  const place = path.join(fixturesFolder, 'providers', folder)
  if (!existsSync(place)) return []
  return readdirSync(place)
    .sort()
    .flatMap((file): Recording[] => {
      const recording = readRecording(place, file)
      return recording ? [{ ...recording, name: `${folder}/${recording.name}` }] : []
    })
}

function readRecording(folder: string, file: string): Recording | undefined {
  const body = readFileSync(path.join(folder, file))
  const truncated = file.startsWith('derived-truncated')
  if (file.endsWith('.sse')) return { name: file, kind: 'stream', ...metaOf(folder, file, 'text/event-stream'), body, truncated }
  if (file.endsWith('.chunks.txt')) {
    const lines = body
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
    const stream = [...lines.map((line) => `data: ${line}\n\n`), 'data: [DONE]\n\n'].join('')
    return { name: file, kind: 'stream', status: 200, contentType: 'text/event-stream', body: Buffer.from(stream), truncated }
  }
  if (file.endsWith('.request.json') || file.endsWith('.meta.json') || !file.endsWith('.json')) return undefined
  return { name: file, kind: 'whole', ...metaOf(folder, file, 'application/json'), body, truncated }
}

function metaOf(folder: string, file: string, otherwise: string): { readonly status: number; readonly contentType: string } {
  const metaFile = path.join(folder, file.replace(/\.response\.(json|sse)$/, '.meta.json'))
  if (metaFile === path.join(folder, file) || !existsSync(metaFile)) {
    const isError = file.includes('error') && otherwise === 'application/json'
    return { status: isError ? 400 : 200, contentType: otherwise }
  }
  const meta = JSON.parse(readFileSync(metaFile, 'utf8')) as {
    readonly status?: number
    readonly responseHeaders?: Readonly<Record<string, string>>
  }
  return { status: meta.status ?? 200, contentType: meta.responseHeaders?.['content-type'] ?? otherwise }
}
