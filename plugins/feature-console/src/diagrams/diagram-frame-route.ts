import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { createFramePage, type FramePage } from '../frames/frame-page.js'
import { createKeptPage } from '../frames/kept-page.js'

/** The parts of its script, in order: what removes the network comes first. The build stores the largest one compressed. */
const parts = ['frame-port.js', 'frames/mermaid.js.br', 'diagram-frame.js'] as const

/**
 * `GET /api/console/diagrams/frame`: the page in whose frame diagrams are drawn, with the same
 * confinement as those of panels.
 */
export function createDiagramFrameRoute({ folder }: { readonly folder: string }): HttpRoute {
  const answer = createKeptPage(() => createPage(folder))
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
    handle: ({ headers }) => answer(headers),
  })
}

async function createPage(folder: string): Promise<FramePage> {
  const scripts = await Promise.all(parts.map((name) => readText(path.join(folder, name))))
  return createFramePage({
    title: 'Diagrams',
    styles: 'body{margin:0}',
    script: `${scripts.join('\n')}\nstartDiagrams(mermaid)`,
    isModule: false,
  })
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file)
  return (file.endsWith('.br') ? await promisify(brotliDecompress)(bytes) : bytes).toString('utf8')
}
