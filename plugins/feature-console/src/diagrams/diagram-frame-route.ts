import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { createFramePage, type FramePage } from '../frames/frame-page.js'
import { createKeptPage } from '../frames/kept-page.js'

/** The parts of its script, in order: what removes the network comes first. */
const parts = ['frame-port.js', 'frames/mermaid.js', 'diagram-frame.js'] as const

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
  const scripts = await Promise.all(parts.map((name) => readFile(path.join(folder, name), 'utf8')))
  return createFramePage({
    title: 'Diagrams',
    styles: 'body{margin:0}',
    script: `${scripts.join('\n')}\nstartDiagrams(mermaid)`,
    isModule: false,
  })
}
