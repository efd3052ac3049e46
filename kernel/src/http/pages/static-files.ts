import { createReadStream } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from '@agent-service/sdk'
import { contentType } from 'mime-types'
import { isUnchanged } from '../answer/is-unchanged.js'
import { sendBytes } from '../answer/send-bytes.js'
import { sendStream } from '../answer/send-stream.js'
import { methodNotAllowedError } from '../errors.js'
import type { Exchange } from '../request/exchange.js'
import { landingPage } from './landing-page.js'

/** The web pages. */
export interface StaticFiles {
  /** Answers a GET or HEAD of a file or page. False when there is nothing for the path. */
  serve(exchange: Exchange, requestPath: string): Promise<boolean>
}

interface FoundFile {
  readonly handle: FileHandle
  readonly name: string
  readonly size: number
  readonly modifiedAt: Date
  readonly etag: string
}

/**
 * Serves a folder: its files, `index.html` for folders and for every page path that a browser asks for. Hidden files are not there, and a
 * symbolic link that leads out of the folder leads nowhere. Without the folder, `/` is a page that says that the service runs.
 */
export function createStaticFiles(options: {
  readonly folder: string
  readonly version: string
  readonly logger: Logger
  readonly stalledMs: number
}): StaticFiles {
  const { folder, version, logger, stalledMs } = options
  const landing = Buffer.from(landingPage(version))

  /** The real folder, asked for each time: it may be put there while the service runs. */
  const realFolder = () => realpath(folder).catch(() => undefined)

  const find = async (root: string, requestPath: string): Promise<FoundFile | undefined> => {
    const segments = requestPath.split('/').filter((segment) => segment !== '')
    if (segments.some((segment) => segment.startsWith('.'))) return undefined
    return (await openFile(root, segments)) ?? (await openFile(root, [...segments, 'index.html']))
  }

  return {
    async serve(exchange, requestPath) {
      const root = await realFolder()
      if (root === undefined) return serveLanding(exchange, requestPath, landing)
      const wantsPage = (exchange.request.headers.accept ?? '').includes('text/html')
      const found =
        (await find(root, requestPath)) ?? (wantsPage && !isAsset(requestPath) ? await openFile(root, ['index.html']) : undefined)
      if (!found) return requestPath === '/' ? serveLanding(exchange, requestPath, landing) : false
      try {
        checkMethod(exchange)
        await sendFile(exchange, found, stalledMs)
      } finally {
        await found.handle.close().catch((error: unknown) => logger.warn('A file could not be closed.', { error }))
      }
      return true
    },
  }
}

const isAsset = (requestPath: string): boolean => /\.[A-Za-z0-9]{1,8}$/.test(requestPath)

function checkMethod(exchange: Exchange): void {
  if (exchange.method === 'GET' || exchange.method === 'HEAD') return
  throw methodNotAllowedError.create({ method: exchange.method, allowed: ['GET', 'HEAD'] })
}

function serveLanding(exchange: Exchange, requestPath: string, landing: Buffer): boolean {
  if (requestPath !== '/') return false
  checkMethod(exchange)
  sendBytes(exchange, { status: 200, headers: { 'cache-control': 'no-cache' }, contentType: 'text/html; charset=utf-8', bytes: landing })
  return true
}

/** Opens a file inside the folder. What is opened is what was checked: the path is resolved first, then opened without following a last link. */
async function openFile(root: string, segments: readonly string[]): Promise<FoundFile | undefined> {
  const real = await realpath(path.join(root, ...segments)).catch(() => undefined)
  if (real === undefined || !(real === root || real.startsWith(`${root}${path.sep}`))) return undefined
  if (
    path
      .relative(root, real)
      .split(path.sep)
      .some((segment) => segment.startsWith('.'))
  )
    return undefined
  const handle = await open(real, 'r').catch(() => undefined)
  if (!handle) return undefined
  const stats = await handle.stat()
  if (!stats.isFile()) {
    await handle.close()
    return undefined
  }
  const etag = `"${stats.size.toString(36)}-${Math.round(stats.mtimeMs).toString(36)}"`
  return { handle, name: path.basename(real), size: stats.size, modifiedAt: stats.mtime, etag }
}

async function sendFile(exchange: Exchange, file: FoundFile, stalledMs: number): Promise<void> {
  const { request } = exchange
  const headers = {
    etag: file.etag,
    'last-modified': file.modifiedAt.toUTCString(),
    // Files with a hash in their name never change; everything else is asked for again.
    'cache-control': /[.-][A-Za-z0-9_-]{8,}\.(js|css|woff2?|png|svg|jpg|webp)$/.test(file.name)
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
  }
  if (isUnchanged(request.headers['if-none-match'], request.headers['if-modified-since'], file)) {
    sendBytes(exchange, { status: 304, headers })
    return
  }
  const stream = createReadStream('', { fd: file.handle, autoClose: false, start: 0 })
  await sendStream(
    exchange,
    {
      status: 200,
      headers: { ...headers, 'content-length': String(file.size) },
      contentType: contentType(file.name) || 'application/octet-stream',
      stream,
    },
    stalledMs,
  )
}
