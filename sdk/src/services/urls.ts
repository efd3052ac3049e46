import { defineServiceReference } from '../core/service-reference.js'

/**
 * Makes every absolute URL of the service. Nothing is ever built from a Host header. Paths begin
 * with `/`.
 *
 * @example
 * const callback = context.use(urlService).external('/api/plugins/notes/callback')
 */
export interface Urls {
  /**
   * API and callback links: `server.backend_url`, else `base_url`, else `http://localhost:{port}`.
   */
  api(path: string): string
  /** Page links: `frontend_url`, else `base_url`, else `http://localhost:{port}`. */
  page(path: string): string
  /**
   * Inbound webhooks and share links: `external_url`, else `backend_url`, else `base_url`, else
   * `http://localhost:{port}`.
   */
  external(path: string): string
  /**
   * Where this process listens for programs that it runs for others: a port of the loopback for
   * what may reach nothing else. A request there has the address of its peer whatever its headers
   * claim, and never counts as an operator's on this machine. Known once the service listens.
   */
  listener(): { readonly host: string; readonly port: number }
}

/** The absolute URLs of the service. Provided by the kernel. */
export const urlService = defineServiceReference<Urls>()('kernel.urls')
