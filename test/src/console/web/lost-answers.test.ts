import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules } from '../support/web-modules.js'

/** Gives half of an answer, and then ends the connection or waits. */
function answerHalf({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [, status, then] = url.match(/^\/api\/(\d+)\/(\w+)/) ?? []
  if (status === undefined) return void response.setHeader('content-type', 'text/html').end('<!doctype html><title>Empty</title>')
  const type = status.startsWith('4') ? 'application/problem+json' : 'application/json'
  response.writeHead(Number(status), { 'content-type': type, 'content-length': then === 'garbled' ? 8 : 1000 })
  response.write('{"code":')
  if (then === 'breaks_off') setImmediate(() => response.destroy())
}

describe('answers that are lost on their way', function () {
  this.timeout(60_000)
  let page: Page
  let server: Server
  before(async () => {
    server = createServer(answerHalf).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    page = (await openPage({ url })).page
    await page.goto(url)
    await page.addScriptTag({ content: await bundleWebModules(['sdk/web/api/create-api.ts']) })
  })
  after(async () => {
    await closeBrowser()
    server.closeAllConnections()
    server.close()
  })

  /** The problem that a request is rejected with; a signal is aborted as soon as the head of the answer is there. */
  const problemOf = (address: string): Promise<unknown> =>
    page.evaluate(async (path) => {
      const { web, fetch } = globalThis as unknown as Globals
      const stop = new AbortController()
      if (path.endsWith('aborted'))
        (globalThis as unknown as Globals).fetch = (...given) =>
          fetch(...given).then((response) => {
            setTimeout(() => stop.abort())
            return response
          })
      const answer = await web
        .createApi()
        .get(path, { signal: stop.signal })
        .then(
          () => 'an answer',
          ({ name, status, code }: Error & { status?: number; code?: unknown }) => ({ name, status, code }),
        )
      ;(globalThis as unknown as Globals).fetch = fetch
      return answer
    }, address)

  interface Globals {
    readonly web: { createApi(): { get(path: string, request: object): Promise<unknown> } }
    fetch: typeof globalThis.fetch
  }

  const problem = (code: string) => ({ name: 'ApiProblem', status: 0, code })

  for (const status of [200, 201, 409])
    it(`counts one with ${status} that breaks off, or is given up within, as none`, async () => {
      expect(await problemOf(`/api/${status}/breaks_off`)).to.deep.equal(problem('offline'))
      expect(await problemOf(`/api/${status}/aborted`)).to.deep.equal(problem('aborted'))
    })

  it('takes one that is no JSON for that of something else', async () => {
    expect(await problemOf('/api/200/garbled')).to.deep.equal(problem('foreign_answer'))
  })
})
