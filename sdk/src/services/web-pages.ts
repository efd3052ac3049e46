import { defineServiceReference } from '../core/service-reference.js'

/** A folder with a web interface. */
export interface WebInterface {
  /**
   * An absolute path. Its files are served at `/` as they are when they are requested, and
   * `index.html` at every page path that a browser requests outside the API. Hidden files are not
   * served. If `server.frontend_url`, else `base_url`, has a path, it is put in front of the addresses
   * in `href="/…"` and `src="/…"` of `index.html`; other files name each other relative to themselves.
   */
  readonly folder: string
  /**
   * The `Content-Security-Policy` of every file that a browser can run as a document or a worker. `frame-ancestors`, `object-src`
   * and `base-uri` are up to it too. Below `/assets/` scripts have the part of it that governs workers; styles, fonts, and pictures
   * other than SVG have none.
   */
  readonly contentSecurityPolicy: string
  /**
   * The `Permissions-Policy` of every file but those below `/assets/` that are no documents: what of the device the pages and their frames
   * may ask the person for. Default: none is sent.
   */
  readonly permissionsPolicy?: string
  /**
   * The folders whose files are served at `/assets/plugins/<plugin id>/<file>`, with the policies above; empty for a plugin
   * that has none now. Asked at each request, so that the files are gone together with the plugin. Files in folders of these
   * are not served, nor are hidden files, links that lead out, and `screens.json`. Default: no plugin has any.
   */
  readonly pluginFolders?: (pluginId: string) => Promise<readonly string[]>
}

/**
 * Serves the web interface of the service. For built-in plugins alone: the pages run with the
 * rights of the person who is signed in.
 *
 * @example
 * context.use(webPagesService).serve({
 *   folder: '/usr/share/agent-service/web',
 *   contentSecurityPolicy: "default-src 'self'",
 * })
 */
export interface WebPages {
  /**
   * Serves a folder until the plugin stops. A folder at `server.static_dir` takes precedence.
   * @throws `web_interface_taken` while another plugin serves one
   */
  serve(webInterface: WebInterface): void
}

/** The pages at `/`. Provided by the kernel to built-in plugins. */
export const webPagesService = defineServiceReference<WebPages>()('kernel.web-pages')
