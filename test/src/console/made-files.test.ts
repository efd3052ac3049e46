import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { callsWith } from '../agents/support/long-chats.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, onePixel, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage, refusalReport } from './open-page.js'

const credentials = { username: 'ada', password: 'a long enough password' }

describe('what an agent makes, as cards below its answer', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  let folder = ''
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials })
  })
  after(async () => {
    await closeBrowser()
    await agents?.close()
  })

  /** Pictures and texts in the workspace of the call. */
  const make = async ({ userHandle, workspace }: ToolContext) => {
    folder = path.join(agents.kernel.folder, 'data', 'users', userHandle, 'workspaces', workspace)
    await mkdir(path.join(folder, 'charts'), { recursive: true })
    const names = [
      'charts/sales.png',
      'sales.csv',
      'page.html',
      'all.zip',
      'a-name-that-is-much-longer-than-what-a-phone-can-show-in-one-line.txt',
    ]
    for (const name of names) await writeFile(path.join(folder, name), name.endsWith('.png') ? onePixel : `of ${name}`)
    return { content: [], files: names.map((name) => ({ path: name })) }
  }

  it('shows them while the answer goes on, saves their bytes, and has them after a reload', async () => {
    const { page, inspect, complaints } = opened
    const gate = createGate()
    setScript({
      async *answer(request) {
        const results = resultsIn(request).length
        if (results === 0) yield* callsWith('write_file', { path: 'report.md', content: '# Draft' })
        else if (results === 1) yield* calls('tool__read')
        else if (results === 2) yield* callsWith('write_file', { path: 'report.md', content: '# Sales\n' })
        else {
          await gate.opened
          yield* says('The report is in `report.md`.')
        }
      },
      tool: (_name, _input, context) => make(context),
    })
    await openChat(opened, { tools: ['write_file', 'tool__read'], approval: { '*': 'never' } })
    await ask(opened, 'Make a report')
    const made = page.getByRole('region', { name: 'Files that were made' })
    const cards = made.getByRole('listitem')
    await cards.filter({ hasText: 'report.md' }).getByText('8 byte').waitFor()
    expect(await cards.count(), 'each file once, and a fold').to.equal(4)
    gate.open()
    await page.getByText('The report is in').waitFor()
    await made.getByRole('button', { name: 'Show all 6 files' }).press('Enter')
    expect(await cards.count()).to.equal(6)
    await cards.filter({ hasText: 'sales.png' }).locator('img').waitFor()
    expect(await inspect('made-files')).to.deep.equal([])
    await made.getByRole('button', { name: 'Show fewer' }).click()
    expect(await cards.count()).to.equal(4)

    const saved = async (): Promise<readonly [string, string]> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        made.getByRole('button', { name: 'Download report.md' }).press('Enter'),
      ])
      return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')]
    }
    expect(await saved()).to.deep.equal(['report.md', '# Sales\n'])
    await page.reload()
    await made.waitFor()
    expect(await saved()).to.deep.equal(['report.md', '# Sales\n'])

    await made.getByRole('button', { name: 'Share report.md by link' }).click()
    await page.getByRole('dialog').getByText('report.md').first().waitFor()
    await page.keyboard.press('Escape')
    expect(complaints).to.deep.equal([])
  })

  it('says of a file that is gone that it is, and what is there in German', async () => {
    const german = await openPage(agents.kernel, { credentials, locale: 'de-DE' })
    const { page } = german
    setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('Fertig.')),
      tool: (_name, _input, context) => make(context),
    })
    const id = await openChat(german, { tools: ['tool__read'], approval: { '*': 'never' } })
    await callApi(german, 'POST', `/api/chats/${id}/messages`, { content: 'Noch einmal' })
    const made = page.getByRole('region', { name: 'Erstellte Dateien' })
    await made.getByRole('listitem').nth(4).waitFor()
    expect(await made.getByRole('button', { name: /Alle/ }).count(), 'one more than four is no fold').to.equal(0)
    await rm(path.join(folder, 'sales.csv'))
    await made.getByRole('button', { name: 'sales.csv öffnen' }).click()
    await made.getByText('Inzwischen gelöscht oder verschoben').waitFor()
    expect(german.complaints).to.deep.equal([refusalReport(404, 'Not Found')])
    await german.close()
  })
})
