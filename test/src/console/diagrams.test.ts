import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { importChat } from './support/chat-page.js'
import { diagrams, hostileDiagrams } from './support/hostile-blocks.js'

const prose = '.turn.agent .prose'
const fenced = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\``

describe('diagrams in a chat', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  const strayed: string[] = []
  before(async () => {
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    opened.page.on('dialog', (dialog) => {
      strayed.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    // What the policies refuse does not come as far as this.
    await opened.context.route(
      (url) => !url.href.startsWith(agents.kernel.url) && !/^(?:blob|data):/.test(url.href),
      (route) => {
        strayed.push(route.request().url())
        return route.abort()
      },
    )
    opened.page.on('popup', (popup) => strayed.push(`popup ${popup.url()}`))
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  /** The chat, with every diagram drawn or given up: each comes near the window once. */
  async function show(sources: readonly string[]): Promise<void> {
    const { page } = opened
    await opened.open(`/chats/${await importChat(page, 2, () => sources.map(fenced).join('\n\n'))}`)
    const figures = page.locator(`${prose} figure.code`)
    await figures.nth(sources.length - 1).waitFor({ state: 'attached' })
    for (let index = 0; index < sources.length; index += 1) {
      await figures.nth(index).scrollIntoViewIfNeeded()
      await figures.nth(index).locator('.diagram-picture img, [role="status"]').first().waitFor()
    }
  }

  it('are pictures in the colours of the theme, with their source at hand', async () => {
    const { page, inspect, complaints } = opened
    await show(diagrams)
    const pictures = page.locator(`${prose} .diagram-picture img`)
    expect(await page.locator(`${prose} [role="status"]`).allTextContents()).to.deep.equal([])
    expect(await pictures.count()).to.equal(diagrams.length)
    const sizes = await page.evaluate(
      `[...document.querySelectorAll('${prose} .diagram-picture img')].map((each) => each.complete && each.naturalWidth > 40 && each.naturalHeight > 40)`,
    )
    expect(sizes).to.deep.equal(diagrams.map(() => true))
    expect(await pictures.first().getAttribute('alt')).to.equal('Diagram: flowchart. Its source can be shown.')
    const figure = page.locator(`${prose} figure.code`).first()
    await figure.getByRole('button', { name: 'Show source' }).click()
    expect(await figure.locator('pre code').textContent()).to.contain('A[Start] --> B{Ready?}')
    const saved = page.waitForEvent('download')
    await figure.getByRole('button', { name: 'Download as SVG' }).click()
    expect((await saved).suggestedFilename()).to.equal('diagram.svg')
    await figure.scrollIntoViewIfNeeded()
    expect(await inspect('diagrams')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })

  it('of an attacker act, load, link and reach nothing', async () => {
    const { page, complaints } = opened
    await page.addInitScript(`(() => {
      const create = URL.createObjectURL
      window.files = []
      URL.createObjectURL = (file) => (window.files.push(file), create(file))
    })()`)
    await show(hostileDiagrams)
    const files = (await page.evaluate('Promise.all(window.files.map((file) => file.text()))')) as string[]
    expect(files.length).to.be.above(12)
    for (const svg of files) {
      // A saved file can be opened as a page of its own.
      expect(svg.match(/<(?:script|a|image|img|foreignObject|iframe|animate|set|link|meta|object|embed)\b[^>]*>/gi)).to.equal(null)
      expect(svg.match(/<[^>]*\s(?:on\w+|(?:xlink:)?href|src)=(?!"#)[^>]*>/gi)).to.equal(null)
      expect(svg.match(/url\((?!#|&quot;#)|@import/gi)).to.equal(null)
    }
    expect(await page.evaluate('[window.acted, {}.acted, document.scripts.length]')).to.deep.equal([undefined, undefined, 1])
    expect(strayed).to.deep.equal([])
    // The frame may not load the picture that one of them wants in it; nothing else is refused.
    expect(complaints.filter((text) => !/^error: Loading the image 'https:\/\/evil\.example\/j\.png' violates/.test(text))).to.deep.equal(
      [],
    )
  })

  it('end with their frame if it answers with anything but what was asked', async () => {
    const { page, context } = opened
    const answers = {
      'no text': `port.postMessage({ kind: 'drawn', id, tree: [] })`,
      'no JSON': `port.postMessage('<svg>')`,
      'another kind': `port.postMessage(JSON.stringify({ kind: 'call', id, method: 'GET', path: '/api/users' }))`,
      'another diagram': `port.postMessage(JSON.stringify({ kind: 'drawn', id: id + 1, tree: ['svg', [['viewBox', '0 0 9 9']], []] }))`,
      'too much': `port.postMessage(JSON.stringify({ kind: 'failed', id, message: 'x'.repeat(2_000_000) }))`,
      'a flood': `for (let count = 0; count < 200; count += 1) port.postMessage('{}')`,
    }
    let answer = ''
    await context.route('**/api/console/diagrams/frame', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script>
          addEventListener('message', ({ ports: [port] }) => {
            port.onmessage = ({ data }) => { const { id } = JSON.parse(data); ${answer} }
          }, { once: true })
          parent.postMessage('agent-service-diagrams', '*')
        </script>`,
      }),
    )
    for (const [name, script] of Object.entries(answers)) {
      answer = script
      await show(['flowchart TD\n  A --> B'])
      expect(await page.locator(`${prose} [role="status"]`).textContent(), name).to.contain('broke the rules of the console')
      expect(await page.locator('iframe').count(), name).to.equal(0)
      expect(await page.locator(`${prose} pre code`).textContent(), name).to.contain('A --> B')
    }
    answer = `port.postMessage(JSON.stringify({ kind: 'drawn', id, tree: ['svg', [['viewBox', '0 0 9 1e9']], []] }))`
    await show(['flowchart TD\n  A --> B'])
    expect(await page.locator(`${prose} [role="status"]`).textContent()).to.contain('no good size')
    await context.unroute('**/api/console/diagrams/frame')
  })

  it('end with their frame if drawing takes too long', async () => {
    const { page, context } = opened
    await context.route('**/api/console/diagrams/frame', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<script>parent.postMessage('agent-service-diagrams', '*')</script>` }),
    )
    await page.clock.install()
    await opened.open(`/chats/${await importChat(page, 2, () => fenced('flowchart TD\n  A --> B'))}`)
    await page.locator('iframe').waitFor({ state: 'attached' })
    await page.locator(`${prose} .diagram-note`).waitFor()
    await page.clock.runFor(31_000)
    await page.locator(`${prose} [role="status"]`).waitFor()
    expect(await page.locator(`${prose} [role="status"]`).textContent()).to.match(/took too long|could not be loaded/)
    expect(await page.locator('iframe').count()).to.equal(0)
  })
})
