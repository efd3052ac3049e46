import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { callApi, uploaded } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const zip = { name: 'plans.zip', mimeType: 'application/zip', buffer: Buffer.from('PK\x03\x04\xff\xfe\xfd', 'latin1') }
const empty = { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) }

/** An answer that looks into the folder of attached files. */
async function* looks(): AsyncGenerator<ModelEvent> {
  const call = { type: 'tool_call' as const, call_id: 'vendor-0', name: 'list_files', arguments: { path: 'attachments' } }
  yield { type: 'response.started' }
  yield { type: 'tool_call.started', part: 0, provider_call_id: 'vendor-0', name: call.name }
  yield { type: 'tool_call.delta', part: 0, arguments_text: JSON.stringify(call.arguments) }
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
  yield { type: 'response.finished', content: [call], stop_reason: 'tool_calls', usage }
}

describe('files that are given to an agent in the console', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    const { items } = await callApi<{ readonly items: readonly { readonly id: string }[] }>(opened, 'GET', '/api/agents')
    await callApi(opened, 'PATCH', `/api/agents/${items[0]?.id}`, { name: 'Reader', tools: ['list_files', 'read_file'] })
    await callApi(opened, 'POST', '/api/agents', { handle: 'talker', name: 'Talker', tools: ['get_time'] })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })
  const chats = async () => (await callApi<{ readonly items: readonly { readonly id: string }[] }>(opened, 'GET', '/api/chats')).items
  const choose = async (name: string): Promise<void> => {
    await opened.page.locator('.pick').click()
    await opened.page.getByRole('menuitemradio', { name }).click()
  }

  it('are refused by name where the agent cannot be given them, and taken when another one is chosen, which finds them', async () => {
    const { page, open, inspect } = opened
    const script = setScript({ answer: (request) => (resultsIn(request).length === 0 ? looks() : says('There they are.')) })
    await open('/')
    await choose('Talker')
    await page.locator('.composer input[type=file]').setInputFiles([zip, empty])
    await page.getByRole('alert').filter({ hasText: 'plans.zip: This agent has no tools for files' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'nothing.txt: This file is empty.' }).waitFor()
    expect(await inspect('given-files-refused')).to.deep.equal([])
    const field = page.getByLabel('What should get done?')
    await field.fill('What is in it?')
    await field.press('Enter')
    await page.getByText('Remove what could not be uploaded').waitFor()
    expect(await chats()).to.deep.equal([])
    await choose('Reader')
    await page.locator('.composer .file:not(.bad)', { hasText: 'plans.zip' }).getByText('In the workspace only').waitFor()
    await uploaded(page, 2)
    expect(await page.locator('.composer .file.bad').count()).to.equal(0)
    expect(await inspect('given-files')).to.deep.equal([])
    await field.press('Enter')
    await page.waitForURL(/\/chats\/[^/]+$/)
    await page.getByText('There they are.').waitFor()
    expect(JSON.stringify(resultsIn(script.requests.at(-1) ?? expect.fail('no request')))).to.contain('plans.zip')
    expect(JSON.stringify(script.requests[0]?.messages)).to.contain(
      '[The file “plans.zip” lies in your workspace as “attachments/plans.zip”',
    )
    const sent = page.locator('.turn.you')
    expect(await sent.locator('.chat-said').innerText()).to.equal('What is in it?')
    await sent.locator('a.file', { hasText: 'plans.zip' }).click()
    const beside = page.getByRole('region', { name: 'plans.zip' })
    const download = page.waitForEvent('download')
    await beside.getByRole('link', { name: 'Download plans.zip' }).click()
    expect((await download).suggestedFilename()).to.equal('plans.zip')
    await page.keyboard.press('Escape')
    await beside.waitFor({ state: 'detached' })
    expect(await inspect('given-files-sent')).to.deep.equal([])
    expect(await chats()).to.have.length(1)
  })

  it('leave no chat behind when the first message with them is refused', async () => {
    const { page, open } = opened
    setScript({ answer: () => says('I see it.') })
    await open('/')
    await choose('Reader')
    await page.locator('.composer input[type=file]').setInputFiles([zip])
    await uploaded(page, 1)
    const before = (await chats()).length
    await callApi(opened, 'POST', '/api/files/bin', { path: 'files/attachments' })
    const field = page.getByLabel('What should get done?')
    await field.fill('Look at this')
    await field.press('Enter')
    await page.locator('.turn.pending', { hasText: 'plans.zip: names a file that does not exist' }).waitFor()
    expect(await chats()).to.have.length(before)
    const { items: binned } = await callApi<{ readonly items: readonly { readonly id: string }[] }>(opened, 'GET', '/api/files/bin')
    await callApi(opened, 'POST', `/api/files/bin/${binned[0]?.id}/restore`)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.waitForURL(/\/chats\/[^/]+$/)
    await page.getByText('I see it.').waitFor()
    expect(await chats()).to.have.length(before + 1)
  })
})
