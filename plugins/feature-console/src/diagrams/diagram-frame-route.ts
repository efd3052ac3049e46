import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { createFramePage } from '../frames/frame-page.js'

/** The parts of its script, in order: what removes the network comes first. */
const parts = ['frame-port.js', 'frames/mermaid.js', 'diagram-frame.js'] as const

interface DrawingPage {
  readonly plain: Uint8Array
  readonly compressed: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/**
 * `GET /api/console/diagrams/frame`: the page in whose frame diagrams are drawn, with the same
 * confinement as those of panels. It is made with the first request, and browsers keep it.
 */
export function createDiagramFrameRoute({ folder }: { readonly folder: string }): HttpRoute {
  let made: Promise<DrawingPage> | undefined
  const page = (): Promise<DrawingPage> => {
    made ??= createPage(folder).catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
  return defineRoute({
    method: 'GET',
    path: '/api/console/diagrams/frame',
    operationId: 'getConsoleDiagramFrame',
    summary: 'The page for the frame in which diagrams are drawn',
    description: 'For the console. The page has an opaque origin and no network, wherever it is opened.',
    tags: ['console'],
    auth: 'user',
    answers: {
      200: { description: 'The page.', contentType: 'text/html', example: '<!doctype html>…' },
      304: { description: 'The page still has the entity tag of `If-None-Match`.' },
    },
    async handle({ headers: asked }) {
      const { plain, compressed, headers } = await page()
      if (asked['if-none-match'] === headers['etag']) return { status: 304, kind: 'empty', headers }
      const isCompressed = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(asked['accept-encoding'] ?? '')
      return {
        status: 200,
        kind: 'bytes',
        contentType: 'text/html; charset=utf-8',
        headers: isCompressed ? { ...headers, 'content-encoding': 'gzip' } : headers,
        bytes: isCompressed ? compressed : plain,
      }
    },
  })
}

async function createPage(folder: string): Promise<DrawingPage> {
  const scripts = await Promise.all(parts.map((name) => readFile(path.join(folder, name), 'utf8')))
  const { html, headers } = createFramePage({
    title: 'Diagrams',
    styles: 'body{margin:0}',
    script: `${scripts.join('\n')}\nstartDiagrams(mermaid)`,
    isModule: false,
  })
  const plain = new TextEncoder().encode(html)
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return {
    plain,
    compressed: await promisify(gzip)(plain),
    headers: { ...headers, etag, 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' },
  }
}
