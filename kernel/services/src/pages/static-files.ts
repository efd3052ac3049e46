import path from 'node:path'
import { methodNotAllowedError } from '@agent-service/kernel-core/http'
import { sendBytes } from '@agent-service/kernel-core/http/answer'
import type { WebPages } from '@agent-service/kernel-core/http/server'
import type { WebInterface } from '@agent-service/sdk/services/web-pages'
import { setPolicies } from './file-policies.js'
import { findFile, realFolder } from './find-file.js'
import { landingPage } from './landing-page.js'
import { findPluginFile, isPluginPath } from './plugin-files.js'
import { createFileSender } from './send-file.js'

const isAsset = (requestPath: string): boolean => /\.[A-Za-z0-9]{1,8}$/.test(requestPath)

interface FoundFile {
  /** Its real path. */
  readonly file: string
  /** The web interface that it belongs to; undefined for a file of the configured folder. */
  readonly offered: WebInterface | undefined
}

/**
 * Serves a folder: its files, whole or in ranges, and `index.html` for folders and for every page
 * path that a browser requests. Hidden files, and symbolic links that lead out of the folder, are
 * never served. Texts are sent compressed to clients that take it. Without the folder the web interface of a plugin is served, with its own
 * `Content-Security-Policy`, and its page with the addresses that it has below `basePath`; without
 * both, `/` is a page that states that the service is running. At `/assets/plugins/` are the files of plugins that the
 * web interface names, with or without the folder.
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
  const sender = createFileSender({ maxStalledMs })

  /** The file of a path. The folder is resolved for each request, since it may be created while the service runs. */
  const locate = async (requestPath: string, accept: string | undefined): Promise<FoundFile | undefined> => {
    if (isPluginPath(requestPath)) {
      const offered = fallback()
      const file = offered && (await findPluginFile(requestPath, offered))
      return file === undefined ? undefined : { file, offered }
    }
    const configured = await realFolder(folder)
    const offered = configured === undefined ? fallback() : undefined
    const root = configured ?? (offered && (await realFolder(offered.folder)))
    const file = root === undefined ? undefined : await find(root, requestPath, accept)
    return file === undefined ? undefined : { file, offered }
  }

  return {
    async serve(exchange, requestPath) {
      const found = await locate(requestPath, exchange.request.headers.accept)
      if (found === undefined && requestPath !== '/') return false
      if (exchange.method === 'OPTIONS') {
        sendBytes(exchange, { status: 204, headers: { allow: allowed.join(', ') } })
        return true
      }
      if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw methodNotAllowedError.create({ method: exchange.method, allowed })
      if (found !== undefined) {
        const { file, offered } = found
        const restore = offered && setPolicies(exchange.response, requestPath, file, offered)
        try {
          if (offered && basePath !== '' && path.basename(file) === 'index.html' && !isPluginPath(requestPath))
            await sender.sendPageBelow(exchange, file, basePath)
          else await sender.send(exchange, file)
        } catch (error) {
          restore?.()
          throw error
        }
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
