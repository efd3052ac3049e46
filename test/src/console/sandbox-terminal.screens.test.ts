import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import type { WebSocketRoute } from 'playwright-core'
import { type ConsolePage, closeBrowser, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** Whether programs of agents run on this machine, and whether anything confines them. */
interface Status {
  readonly confines: boolean
  readonly disabled: boolean
  readonly mode: string
}

const statusOf = ({ page }: ConsolePage): Promise<Status> =>
  page.evaluate(async () => (await (await fetch('/api/sandbox')).json()) as Status)

/** What the terminal shows, line by line. */
const shown = (page: ConsolePage['page'], text: string | RegExp) => page.locator('.xterm-rows > div', { hasText: text }).first().waitFor()

describe('a terminal in the console', function () {
  this.timeout(90_000)
  let kernel: TestKernel
  let opened: ConsolePage
  let status: Status

  before(async () => {
    kernel = await createTestKernel()
    opened = await openPage(kernel, { credentials: ada, at: 'none' })
    await opened.open('/sandbox')
    status = await statusOf(opened)
  })
  after(async () => {
    await opened?.close()
    await closeBrowser()
    await kernel?.stop()
  })

  const openTerminal = async (): Promise<void> => {
    const { page } = opened
    await opened.open('/sandbox')
    await page.getByRole('button', { name: 'Open terminal' }).click()
    await page.getByRole('dialog').getByLabel('Agent').selectOption({ label: 'Assistant' })
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click()
  }

  it('says what confines on this machine, and why no terminal opens where nothing does', async () => {
    const { page, open, inspect } = opened
    await open('/sandbox/machine')
    await page.getByText(status.confines ? 'The code of agents is confined' : 'The code of agents is not confined').waitFor()
    await page
      .locator('.sandbox-facts')
      .getByText(status.mode === 'none' ? 'None' : status.mode, { exact: true })
      .first()
      .waitFor()
    expect(await inspect('sandbox-machine')).to.deep.equal([])
    if (status.confines) return
    await page.getByText('Nothing confines programs on this machine').waitFor()
    await openTerminal()
    await page.getByRole('dialog').getByRole('alert').waitFor()
  })

  it('runs a shell that survives a reload, follows the size of the page, and ends by exit', async () => {
    // The test before has shown what the screen says then.
    if (!status.confines) return
    const { page, inspect } = opened
    await openTerminal()
    await page.waitForURL(/\/sandbox\/terminals\/[^/]+$/)
    await page.getByText('Connected').waitFor()
    await shown(page, '~ $')
    await page.keyboard.type('echo gr"ü"ße-$((6*7)); printf "\\033[38;2;10;60;120mtrue colour\\033[0m \\033[31mred\\033[0m\\n"\n')
    await shown(page, 'grüße-42')
    await shown(page, /^true colour red/)
    const colour = await page.evaluate(
      "getComputedStyle([...document.querySelectorAll('.xterm-rows span')].filter((span) => span.textContent === 'true colour').at(-1)).color",
    )
    expect(colour).to.equal('rgb(10, 60, 120)')
    expect(await inspect('terminal')).to.deep.equal([])
    await page.keyboard.type('i=0; while read -r word; do echo "heard $word"; stty size; done\n')
    await page.reload()
    await page.getByText('Connected').waitFor()
    await shown(page, 'grüße-42')
    const before = await page.locator('.xterm-rows > div').count()
    await page.setViewportSize({ width: 900, height: 500 })
    await page.locator(`.xterm-rows > div:nth-child(${before})`).waitFor({ state: 'detached' })
    await page.keyboard.type('again\n')
    await shown(page, 'heard again')
    const rows = await page.locator('.xterm-rows > div').count()
    await shown(page, new RegExp(`^${rows} \\d+`))
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Control+d')
    await page.keyboard.type('exit 7\n')
    await page.getByText('Ended with code 7').waitFor()
    await page.getByRole('button', { name: 'Open another' }).click()
    await page.getByText('Connected').waitFor()
    await page.getByRole('button', { name: 'End terminal' }).click()
    await page.getByText('Stopped', { exact: true }).waitFor()
  })
  it('writes from one page while another watches, and takes over when it is asked to', async () => {
    if (!status.confines) return
    const { page, context } = opened
    await openTerminal()
    await shown(page, '~ $')
    const watching = await context.newPage()
    await watching.setViewportSize({ width: 360, height: 740 })
    await watching.goto(`${page.url()}?watch=1`)
    await watching.getByRole('button', { name: 'Write here' }).waitFor()
    await page.locator('.xterm-helper-textarea').focus()
    await page.keyboard.type('echo from-the-fir"st"\n')
    await shown(watching, 'from-the-first')
    await watching.locator('.xterm-helper-textarea').focus()
    await watching.keyboard.type('echo unheard\n')
    await watching.getByRole('button', { name: 'Write here' }).click()
    // Keys that come before the terminal has answered are kept.
    await watching.keyboard.type('stty size; echo from-the-sec"ond"\n')
    await shown(page, 'from-the-second')
    await page.getByRole('button', { name: 'Write here' }).waitFor()
    expect(await page.locator('.xterm-rows').textContent()).to.not.contain('unheard')
    // The keys that a phone lacks: Ctrl and the next letter, and the line before.
    await watching.keyboard.type('sleep 1000\n')
    await watching.getByRole('button', { name: 'Ctrl' }).click()
    await watching.keyboard.type('c')
    await watching.keyboard.type('echo st=$?\n')
    await shown(watching, 'st=130')
    await watching.getByRole('button', { name: '↑' }).click()
    await watching.keyboard.press('Enter')
    await shown(watching, 'st=0')
    expect(await watching.evaluate('document.documentElement.scrollWidth')).to.equal(360)
    // Shift+F6 is the way out for those who have only a keyboard.
    await watching.keyboard.press('Shift+F6')
    expect(await watching.evaluate('document.activeElement.textContent')).to.equal('End terminal')
    await watching.keyboard.press('Enter')
    await watching.getByText('Stopped', { exact: true }).waitFor()
    await page.getByText('Stopped', { exact: true }).waitFor()
    await watching.close()
  })

  it('comes back after an interruption without drawing anything twice, and says when it is gone', async () => {
    if (!status.confines) return
    const { page } = opened
    const connections: WebSocketRoute[] = []
    let reconnected: () => void = () => undefined
    const again = new Promise<void>((resolve) => {
      reconnected = resolve
    })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/api\/sandbox\/processes\/[^/]+$/, async (route) => {
      if (connections.length === 1) await held
      await route.continue()
    })
    await page.routeWebSocket(/\/api\/sandbox\/terminals\//, (socket) => {
      connections.push(socket)
      socket.connectToServer()
      if (connections.length === 2) reconnected()
    })
    await openTerminal()
    await shown(page, '~ $')
    await page.keyboard.type('echo wai"ting"; read -r word; echo "got $word"\n')
    await shown(page, /^waiting/)
    await connections[0]?.close({ code: 1001 })
    // Keys are kept while the page is not connected.
    await page.getByText('Reconnecting').waitFor()
    await page.keyboard.type('hel')
    release()
    await again
    await page.getByText('Connected').waitFor()
    await page.keyboard.type('lo\n')
    await shown(page, 'got hello')
    expect(new URL(connections[1]?.url() ?? '').searchParams.get('from')).to.match(/^[1-9]\d*$/)
    expect((await page.locator('.xterm-rows').textContent())?.match(/read -r word/g)).to.have.length(1)
    await page.getByRole('button', { name: 'End terminal' }).click()
    await page.getByText('Stopped', { exact: true }).waitFor()
    await opened.open('/sandbox/terminals/00000000-0000-7000-8000-000000000000')
    await page.getByText('This terminal no longer exists.').waitFor()
  })

  it('leaves nothing that the policy of the page forbids', () => {
    // The browser reports the terminal that no longer exists, as often as it is asked for.
    expect([...new Set(opened.complaints)]).to.deep.equal([refusalReport(404, 'Not Found')])
  })
})
