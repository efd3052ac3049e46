import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { methodNotAllowedError } from '@agent-service/kernel-core/http'
import { sendBytes } from '@agent-service/kernel-core/http/answer'
import { ClientDisconnectedError, type Exchange } from '@agent-service/kernel-core/http/request'
import type { WebPages } from '@agent-service/kernel-core/http/server'
import { defineError } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { WebInterface } from '@agent-service/sdk/services/web-pages'

/** No byte of the file lies in the requested range. `Content-Range` states the file's size. */
export const rangeNotSatisfiableError = defineError<{ readonly size: number }>({
  code: 'range_not_satisfiable',
  status: 416,
  title: 'Range not satisfiable',
  message: ({ size }) => `The range is outside the file, which has ${size} bytes.`,
})

/** Files with a hash in their name never change; clients revalidate all others. */
const hashedName = /[.-][A-Za-z0-9_-]{8,}\.(js|css|woff2?|png|svg|jpg|webp)$/
const isAsset = (requestPath: string): boolean => /\.[A-Za-z0-9]{1,8}$/.test(requestPath)

/**
 * Serves a folder: its files, whole or in ranges, and `index.html` for folders and for every page
 * path that a browser requests. Hidden files, and symbolic links that lead out of the folder, are
 * never served. Without the folder the web interface of a plugin is served, with its own
 * `Content-Security-Policy`, and its page with the addresses that it has below `basePath`; without
 * both, `/` is a page that states that the service is running.
 */
export function createStaticFiles(options: {
  readonly folder: string
  readonly version: string
  /** The path at which browsers see `/`; empty for the root of a host. Default: empty. */
  readonly basePath?: string
  /** What is served while `folder` does not exist. Default: nothing. */
  readonly fallback?: () => WebInterface | undefined
  /** Default: 30 seconds. */
  readonly maxStalledMs?: number
}): WebPages {
  const { folder, version, basePath = '', fallback = () => undefined, maxStalledMs = 30_000 } = options
  const landing = landingPage(version, basePath)
  return {
    async serve(exchange, requestPath) {
      // Resolved for each request, since the folder may be created while the service runs.
      const configured = await realpath(folder).catch(() => undefined)
      const offered = configured === undefined ? fallback() : undefined
      const root = configured ?? (offered && (await realpath(offered.folder).catch(() => undefined)))
      const found = root === undefined ? undefined : await find(root, requestPath, exchange.request.headers.accept)
      if (found === undefined && requestPath !== '/') return false
      if (exchange.method === 'OPTIONS') {
        sendBytes(exchange, { status: 204, headers: { allow: allowed.join(', ') } })
        return true
      }
      if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw methodNotAllowedError.create({ method: exchange.method, allowed })
      if (found !== undefined) {
        if (offered) exchange.response.setHeader('content-security-policy', offered.contentSecurityPolicy)
        if (offered && basePath !== '' && path.basename(found) === 'index.html') await sendPageBelow(exchange, found, basePath)
        else await sendFile(exchange, found, maxStalledMs)
      } else {
        const headers = { 'cache-control': 'no-cache' }
        sendBytes(exchange, { status: 200, headers, contentType: 'text/html; charset=utf-8', body: landing })
      }
      return true
    },
  }
}

const allowed: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** The real path of the file for a request path. */
async function find(root: string, requestPath: string, accept = ''): Promise<string | undefined> {
  const segments = requestPath.split('/').filter((segment) => segment !== '')
  const isHidden = segments.some((segment) => segment.startsWith('.'))
  const found = isHidden ? undefined : ((await findFile(root, segments)) ?? (await findFile(root, [...segments, 'index.html'])))
  return found ?? (accept.includes('text/html') && !isAsset(requestPath) ? findFile(root, ['index.html']) : undefined)
}

async function findFile(root: string, segments: readonly string[]): Promise<string | undefined> {
  const real = await realpath(path.join(root, ...segments)).catch(() => undefined)
  if (real === undefined || !real.startsWith(`${root}${path.sep}`)) return undefined
  if (real.slice(root.length).includes(`${path.sep}.`)) return undefined
  const stats = await stat(real).catch(() => undefined)
  return stats?.isFile() ? real : undefined
}

/**
 * Sends an existing file. A client that reads nothing for `maxStalledMs` is disconnected. The library
 * is loaded with the first file, since many installations never need it.
 */
async function sendFile(exchange: Exchange, file: string, maxStalledMs: number): Promise<void> {
  const { request, response, controller } = exchange
  const { default: send } = await import('send')
  // Every request is validated against the file itself, so `Cache-Control: no-cache` gets a 304
  // too. Conditions for changes do not apply to a GET.
  for (const name of ['cache-control', 'if-match', 'if-unmodified-since']) delete request.headers[name]
  if (response.destroyed) throw new ClientDisconnectedError('The client disconnected.')
  const isHashed = hashedName.test(file)
  response.statusCode = 200
  if (!isHashed) response.setHeader('cache-control', 'no-cache')
  response.setTimeout(maxStalledMs, () => response.destroy())
  await new Promise<void>((resolve, reject) => {
    response.once('finish', resolve)
    response.once('close', () => reject(new ClientDisconnectedError('The client disconnected.')))
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
    // The path is resolved and inside the folder, so `send` has nothing to check.
    send(request, encodeURI(file), {
      ...{ dotfiles: 'allow', index: false },
      ...(isHashed ? { maxAge: 31_536_000_000, immutable: true } : { cacheControl: false }),
    })
      .on('error', (error: SendError) => reject(toServiceError(error)))
      .pipe(response)
  })
}

/** Addresses of the page's own files, as builds write them. */
const ownAddress = /\b(href|src)="\/(?!\/)/g

/** Sends a page with the addresses of its files below the base path. Clients revalidate it by its content. */
async function sendPageBelow(exchange: Exchange, file: string, basePath: string): Promise<void> {
  const base = escapeHtml(basePath)
  const body = (await readFile(file, 'utf8')).replace(ownAddress, (_, name: string) => `${name}="${base}/`)
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const isKnown = (exchange.request.headers['if-none-match'] ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
  const headers = { 'cache-control': 'no-cache', etag }
  sendBytes(exchange, { status: isKnown ? 304 : 200, headers, contentType: 'text/html; charset=utf-8', body })
}

interface SendError extends Error {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

function toServiceError(cause: SendError): Error {
  if (cause.status === 404) return notFoundError.create({ what: 'path' }, { cause })
  if (cause.status !== 416) return cause
  return rangeNotSatisfiableError.create({ size: Number(cause.headers?.['Content-Range']?.split('/')[1] ?? 0) }, { cause })
}

/** The page at `/` if no web interface is installed. */
const landingPage = (version: string, basePath: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Service</title>
<style>
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 38rem; margin: 15vh auto; padding: 0 1.5rem; color: #1d2129; background: #fbfbfa }
  code { background: #ececea; padding: .1em .35em; border-radius: 4px }
  @media (prefers-color-scheme: dark) { body { color: #e6e6e3; background: #17181b } code { background: #2a2c31 } a { color: #8ab4ff } }
</style>
<h1>Agent Service is running</h1>
<p>This is version ${escapeHtml(version)}. The HTTP API is available. No web interface is installed.</p>
<p>Programs find the description of the API at <a href="${escapeHtml(basePath)}/api/openapi.json"><code>${escapeHtml(basePath)}/api/openapi.json</code></a>.
To chat with an agent in a terminal, run <code>agent-service chat</code>.</p>
</html>
`

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
