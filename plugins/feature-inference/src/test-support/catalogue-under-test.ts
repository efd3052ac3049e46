import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogFields, Logger } from '@agent-service/sdk'
import type { CacheFiles } from '@agent-service/sdk/services/cache-files'
import { openCatalogue } from '../catalogue/refresh/open-catalogue.js'
import { createInstantClock, repositoryResources } from './fakes.js'

/** Cache files in a folder, without the kernel's safeguards. */
export const folderCache = (folder: string): CacheFiles => ({
  read: (name) =>
    readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    }),
  async write(name, text) {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${name}.new`), text)
    await rename(join(folder, `${name}.new`), join(folder, name))
  },
  remove: (name) => rm(join(folder, name), { force: true }),
})

export interface SourceServer {
  readonly address: string
  readonly requests: string[]
  close(): Promise<void>
}

/** A server in place of the public list. */
export async function startSource(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<SourceServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * A catalogue over the files of the repository, a cache in a temporary folder, and the time that
 * the test sets.
 */
export async function openTestCatalogue(options: {
  readonly address: string
  readonly folder?: string
  readonly now?: string
  readonly timeoutMs?: number
  readonly maxBytes?: number
}) {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'catalogue-')))
  const lines: { readonly message: string; readonly fields: LogFields }[] = []
  const stopping = new AbortController()
  const opened = await openCatalogue({
    resources: repositoryResources,
    cache: folderCache(folder),
    clock: { ...createInstantClock(), now: () => Date.parse(options.now ?? '2026-11-21T10:00:00Z') },
    log: recordingLog(lines),
    signal: stopping.signal,
    address: options.address,
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    ...(options.maxBytes !== undefined && { maxBytes: options.maxBytes }),
  })
  return { ...opened, folder, file: join(folder, 'models.json'), lines, stop: () => stopping.abort(new Error('stopping')) }
}

function recordingLog(lines: { readonly message: string; readonly fields: LogFields }[]): Logger {
  const write = (message: string, fields: LogFields = {}): void => void lines.push({ message, fields })
  const log: Logger = { debug: write, info: write, warn: write, error: write, child: () => log }
  return log
}
