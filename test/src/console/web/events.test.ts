import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

/** Makes `fetch` answer with a stream that the test writes to: `write('id: 1\n…')`. */
const fakeService = `
  window.asked = []
  window.fetch = async (path, { headers, signal }) => {
    window.asked.push(headers['last-event-id'] ?? 'none')
    let controller
    const body = new ReadableStream({ start: (given) => { controller = given } })
    signal.addEventListener('abort', () => controller.error(signal.reason))
    window.endStream = () => controller.close()
    window.write = (text) => controller.enqueue(new TextEncoder().encode(text))
    return new Response(body)
  }
`
const event = (id: number, name = 'chat.updated', data: unknown = { id }): string =>
  JSON.stringify(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)

describe('the event stream of the console', function () {
  this.timeout(60_000)
  let page: Page
  let code: string
  const errors: string[] = []
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    page.on('pageerror', (error) => errors.push(error.message))
    code = await bundleWebModules(['sdk/web/api/events.ts', 'sdk/web/api/event-stream.ts'])
  })
  beforeEach(async () => {
    errors.length = 0
    await openWebModules(page, code)
    await page.evaluate(fakeService)
  })
  after(() => closeBrowser())

  const untilLive = () => page.waitForFunction("window.write && web.streamState() === 'live'")

  it('gives events to their handlers in order, also when they come in pieces', async () => {
    await page.evaluate(
      "window.seen = []; web.onEvent('chat.updated', ({ id, data }) => seen.push(id + ' ' + data.id)); web.startEvents('ada')",
    )
    await untilLive()
    await page.evaluate(`(async () => {
      const text = ': comment\\nretry: 5\\n\\n' + ${event(1)} + ${event(2, 'other')} + ${event(3)}
      for (const character of text) { write(character); await null }
    })()`)
    await page.waitForFunction('seen.length === 2')
    expect(await page.evaluate('seen')).to.deep.equal(['1 1', '3 3'])
  })

  it('reports a handler that throws, and goes on: the other handlers and later events are not lost', async () => {
    await page.evaluate(`
      window.seen = []
      web.onEvent('chat.updated', ({ id }) => { if (id === '1') throw new Error('a broken handler') })
      web.onEvent('chat.updated', ({ id }) => seen.push(id))
      web.startEvents('ada')
    `)
    await untilLive()
    await page.evaluate(`write(${event(1)} + ${event(2)})`)
    await page.waitForFunction('seen.length === 2')
    expect(await page.evaluate('[seen.join(), asked.length, web.streamState()]')).to.deep.equal(['1,2', 1, 'live'])
    expect(errors).to.deep.equal(['a broken handler'])
  })

  it('gives up a connection when the network goes away, and continues after the last event', async () => {
    await page.evaluate("web.startEvents('ada')")
    await untilLive()
    await page.evaluate(`write(${event(7)})`)
    await page.waitForFunction("web.streamState() === 'live'")
    await page.evaluate("window.dispatchEvent(new Event('offline'))")
    await page.waitForFunction("web.streamState() === 'reconnecting'")
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await page.waitForFunction('asked.length === 2')
    expect(await page.evaluate('asked')).to.deep.equal(['none', '7'])
    expect(errors).to.deep.equal([])
  })

  it('says that changes are applied when the service announces its restart, and never that the connection was lost', async () => {
    await page.evaluate("web.startEvents('ada')")
    await untilLive()
    await page.evaluate(`
      const service = window.fetch
      window.fetch = (...request) => { window.stateThen = web.streamState(); return service(...request) }
      write(${event(4)} + 'event: closing\\nretry: 50\\ndata: {"reason":"restarting"}\\n\\n')
      endStream()
    `)
    await page.waitForFunction("asked.length === 2 && web.streamState() === 'live'")
    expect(await page.evaluate('[stateThen, ...asked]')).to.deep.equal(['applying', 'none', '4'])
    await page.evaluate('endStream()')
    await page.waitForFunction('asked.length === 3')
    expect(await page.evaluate('stateThen')).to.equal('reconnecting')
  })

  it('says nothing of its own end, but reports any other failure of the lock and asks for it again', async () => {
    await page.evaluate("web.startEvents('ada')")
    await untilLive()
    await page.evaluate("web.stopEvents(); web.startEvents('ada'); web.stopEvents()")
    expect(errors).to.deep.equal([])
    await page.evaluate(`
      const request = navigator.locks.request.bind(navigator.locks)
      let refused = false
      navigator.locks.request = (...given) => {
        if (refused) return request(...given)
        refused = true
        return Promise.reject(new DOMException('no lock for you', 'InvalidStateError'))
      }
      window.write = undefined
      web.startEvents('bob')
    `)
    await page.waitForFunction("web.streamState() === 'reconnecting'")
    expect(errors).to.deep.equal(['no lock for you'])
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await untilLive()
    expect(errors).to.have.length(1)
  })
})
