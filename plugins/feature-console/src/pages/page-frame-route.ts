import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { createFramePage, type FramePage } from '../frames/frame-page.js'
import { createKeptPage } from '../frames/kept-page.js'

/** The parts of its script, in order: what removes the network comes first. */
const parts = ['frame-port.js', 'page-guard.js', 'page-frame.js'] as const

const styles = 'html,body{margin:0;block-size:100%}iframe{display:block;inline-size:100%;block-size:100%;border:0;background:#fff}'

/**
 * `GET /api/console/pages/frame`: the page in whose frame HTML files of a person are shown. It never
 * has a file in it: the console hands the text over, and it goes into one more frame, which can go
 * nowhere and loads nothing.
 */
export function createPageFrameRoute({ folder }: { readonly folder: string }): HttpRoute {
  const answer = createKeptPage(() => createPage(folder))
  return defineRoute({
    method: 'GET',
    path: '/api/console/pages/frame',
    operationId: 'getConsolePageFrame',
    summary: 'The page for the frame in which HTML files are shown',
    description:
      'For the console, which hands the text of a file to it; the answer itself never contains one. The page has an opaque origin and no network, wherever it is opened.',
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
  return createFramePage({ title: 'Page', styles, script: `${scripts.join('\n')}\nstartPage()`, isModule: false, scripts: 'inline' })
}
