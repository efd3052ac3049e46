import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, callExport, openWebModules } from '../support/web-modules.js'

describe('the router of the console', function () {
  this.timeout(60_000)
  let page: Page
  let code: string
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    code = await bundleWebModules(['sdk/web/app/router.ts'])
  })
  beforeEach(async () => {
    await openWebModules(page, code, '/begin?tab=one')
    await page.evaluate('web.startRouter()')
  })
  after(() => closeBrowser())

  const place = () => page.evaluate('[web.currentPath(), web.currentQuery().toString(), location.pathname, history.length].join(" ")')
  const match = (pattern: string, path: string) => callExport(page, 'matchPath', pattern, path)

  it('matches paths with parameters and a rest, decoded', async () => {
    expect(await match('/', '/')).to.deep.equal({})
    expect(await match('/chats/:chatId', '/chats/a%20b')).to.deep.equal({ chatId: 'a b' })
    expect(await match('/chats/:chatId', '/chats/%E0%A4%A')).to.deep.equal({ chatId: '%E0%A4%A' })
    expect(await match('/files/*', '/files/some/where%2Felse')).to.deep.equal({ rest: 'some/where/else' })
    expect(await match('/files/*', '/files')).to.deep.equal({ rest: '' })
    for (const path of ['/', '/chats', '/chats/1/more', '/other/1']) expect(await match('/chats/:chatId', path), path).to.equal(undefined)
  })

  it('goes to a path with an entry in the history, or instead of the present one', async () => {
    const before = Number(await page.evaluate('history.length'))
    await page.evaluate("web.navigate('/next?tab=two')")
    expect(await place()).to.equal(`/next tab=two /next ${before + 1}`)
    await page.evaluate("web.navigate('/other', { replace: true })")
    expect(await place()).to.equal(`/other  /other ${before + 1}`)
    await page.goBack()
    await page.waitForFunction("web.currentPath() === '/begin'")
    expect(await place()).to.equal(`/begin tab=one /begin ${before + 1}`)
  })

  it('asks before a place is left, and stays where the answer is no', async () => {
    const asked = await page.evaluate(`(async () => {
      const answers = [false, true]
      let count = 0
      const undo = web.guardLeaving(async () => answers[count++])
      await web.navigate('/begin?tab=two')
      const sameplace = [count, web.currentQuery().get('tab')]
      await web.navigate('/next')
      const stayed = web.currentPath()
      await web.navigate('/next')
      const left = web.currentPath()
      undo()
      await web.navigate('/third')
      return [sameplace, stayed, left, web.currentPath(), count]
    })()`)
    expect(asked).to.deep.equal([[0, 'two'], '/begin', '/next', '/third', 2])
  })

  it('follows links of the console, and leaves others and those of the service to the browser', async () => {
    const results = await page.evaluate(`(() => {
      const tried = (attributes, event = {}) => {
        const link = Object.assign(document.createElement('a'), attributes)
        document.body.append(link)
        let prevented = false
        const stop = (click) => { prevented = click.defaultPrevented; click.preventDefault() }
        window.addEventListener('click', stop)
        link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...event }))
        window.removeEventListener('click', stop)
        link.remove()
        return prevented
      }
      return {
        own: tried({ href: '/agents' }),
        inside: tried({ href: '/agents/1?tab=tools' }),
        newTab: tried({ href: '/agents', target: '_blank' }),
        withKey: tried({ href: '/agents' }, { ctrlKey: true }),
        middle: tried({ href: '/agents' }, { button: 1 }),
        download: tried({ href: '/agents', download: 'file' }),
        api: tried({ href: '/api/files/1' }),
        model: tried({ href: '/v1/models' }),
        shared: tried({ href: '/s/1' }),
        similar: tried({ href: '/settings' }),
        elsewhere: tried({ href: 'https://example.org/' }),
      }
    })()`)
    expect(results).to.deep.equal({
      ...{ own: true, inside: true, similar: true },
      ...{ newTab: false, withKey: false, middle: false, download: false, api: false, model: false, shared: false, elsewhere: false },
    })
  })

  describe('below a path', () => {
    const open = async (at: string): Promise<void> => {
      await openWebModules(page, code, at, '/agents')
      await page.evaluate('web.startRouter()')
    }

    it('knows its places without the path, and goes to them with it', async () => {
      await open('/agents/chats/1?tab=one')
      expect(await page.evaluate('[web.currentPath(), location.pathname].join(" ")')).to.equal('/chats/1 /agents/chats/1')
      for (const [to, expected] of [
        ["'/files?a=b'", '/files /agents/files?a=b'],
        ["'/agents'", '/agents /agents/agents'],
        ["location.origin + '/agents/next'", '/next /agents/next'],
        ["'?tab=two'", '/next /agents/next?tab=two'],
      ] as const) {
        await page.evaluate(`web.navigate(${to})`)
        expect(await page.evaluate('[web.currentPath(), location.pathname + location.search].join(" ")')).to.equal(expected)
      }
      await page.goBack()
      await page.goBack()
      await page.waitForFunction("web.currentPath() === '/agents'")
    })

    it('goes below the path where it was opened beside it', async () => {
      for (const [at, expected] of [
        ['/agents', '/agents/'],
        ['/agents?a=b#c', '/agents/?a=b#c'],
        ['/', '/agents/'],
        ['/chats/1?a=b#c', '/agents/chats/1?a=b#c'],
        ['/agents2/x', '/agents/agents2/x'],
        ['/agents/x', '/agents/x'],
      ] as const) {
        await open(at)
        expect(await page.evaluate('location.pathname + location.search + location.hash'), at).to.equal(expected)
      }
    })

    it('follows links to its own pages alone', async () => {
      await open('/agents/begin')
      const followed =
        await page.evaluate(`['/agents/chats', '/agents', '/agents/', '/agents/api/files/1', '/agents/s/1', '/agents2', '/chats', '/'].filter((href) => {
        const link = Object.assign(document.createElement('a'), { href })
        document.body.append(link)
        let prevented = false
        const stop = (click) => { prevented = click.defaultPrevented; click.preventDefault() }
        window.addEventListener('click', stop)
        link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
        window.removeEventListener('click', stop)
        link.remove()
        return prevented
      })`)
      expect(followed).to.deep.equal(['/agents/chats', '/agents', '/agents/'])
    })
  })
})
