import type { JsonObject } from '@agent-service/sdk'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { createJumpingClock } from '../memory/support/jumping-clock.js'
import { createLearningModel } from '../memory/support/learning-model.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const day = 86_400_000

describe('what pkm has learnt, in the console', function () {
  this.timeout(120_000)
  const { clock, jump } = createJumpingClock()
  let agents: AgentsKernel
  let person: Person
  let model: Awaited<ReturnType<typeof createLearningModel>>
  let opened: ConsolePage
  let [secondChat, failedChat] = ['', '']
  let firstDay = ''

  const say = async (title: string, ...texts: readonly string[]): Promise<string> => {
    const chatId = await person.newChat()
    await person.request('PATCH', `/api/chats/${chatId}`, { title })
    const stream = await person.stream()
    for (const text of texts) await endOf(stream, await person.post(chatId, text))
    stream.close()
    return chatId
  }
  const untilPass = async (fits: (pass: JsonObject) => boolean): Promise<void> => {
    const passes = async () => (await person.request('GET', '/api/memory/passes')).body['items'] as readonly JsonObject[]
    await eventually(async () => (await passes()).some(fits), { what: passes })
  }

  const untilKnown = async (kind: string, count: number): Promise<void> => {
    const known = async () => (await person.request('GET', `/api/memory?kind=${kind}`)).body['items'] as readonly JsonObject[]
    await eventually(async () => (await known()).length >= count, { what: known })
  }

  before(async () => {
    model = await createLearningModel(() => says('Noted.'))
    setScript({ answer: model.answer })
    const environment = {
      ...{ SERVICE_MEMORY_BACKEND: 'pkm', SERVICE_MEMORY_PKM_CONSOLIDATE_SECS: '1', SERVICE_MEMORY_PKM_CONSOLIDATE_IDLE_SECS: '0' },
      SERVICE_MEMORY_PKM_CONSOLIDATION_MAX_ATTEMPTS: '1',
    }
    agents = await startAgentsKernel({ environment, clock })
    person = await agents.person(ada.username)
    const worked = 'That worked, do it like this every time.'
    await say('About me', 'Hello! I live in Graz, and I prefer trains.', 'Anna is my sister. I am tired today.', worked)
    // Messages that come during a pass are those of the next one.
    await untilKnown('statement', 3)
    await untilKnown('playbook', 1)
    firstDay = new Date(clock.now()).toISOString().slice(0, 10)
    jump(3 * day)
    person = await agents.person(ada.username)
    secondChat = await say('The move', 'News: I have moved to Linz. Anna works as a baker.')
    await untilPass(({ chat_id: of, state }) => of === secondChat && state === 'done')
    model.intervene((stage) => {
      if (stage === 'classify') throw new Error('The vendor is down.')
    })
    failedChat = await say('My stamps', 'I collect stamps.')
    await untilPass(({ chat_id: of, state }) => of === failedChat && state === 'abandoned')
    model.intervene(() => undefined)
    opened = await openPage(agents.kernel, { credentials: ada, at: 'none' })
  })
  after(async () => {
    await closeBrowser()
    await agents?.close()
  })

  it('shows what it remembers for a while, with when that drops out and where it comes from', async () => {
    const { page, open, inspect } = opened
    await open('/memory')
    const rows = page.getByRole('list', { name: 'Short memories' }).getByRole('listitem')
    const moved = rows.filter({ hasText: 'Has moved to Linz.' })
    await moved.getByText(/^Drops out in \d+ days$/).waitFor()
    await rows.filter({ hasText: 'Was tired today.' }).waitFor()
    expect(await rows.filter({ hasText: 'Lives in Graz.' }).count()).to.equal(0)
    const [asked] = await person.messages(secondChat)
    expect(await moved.getByRole('link', { name: 'Source: The move' }).getAttribute('href')).to.equal(
      `/chats/${secondChat}?message=${asked?.id ?? ''}`,
    )
    expect(await inspect('memory-pkm')).to.deep.equal([])
  })

  it('shows a page with what holds now and what held then, and the message that says so', async () => {
    const { page, open, inspect } = opened
    await open('/memory')
    await page.getByRole('link', { name: 'Pages' }).click()
    await page.getByRole('link', { name: 'Anna', exact: true }).waitFor()
    await page.getByRole('link', { name: 'The person', exact: true }).click()
    const statements = page.getByRole('list', { name: 'Statements' })
    await statements.getByText('Has moved to Linz.').waitFor()
    expect(await statements.getByText('Lives in Graz.').count()).to.equal(0)
    await page.getByText('What the statements below say; each has its own source').waitFor()
    expect(await inspect('memory-pkm-page')).to.deep.equal([])
    await page.getByLabel('As of').fill(firstDay)
    const then = statements.getByRole('listitem').filter({ hasText: 'Lives in Graz.' })
    await then.getByText(/^Until /).waitFor()
    await statements.getByText('Has moved to Linz.').waitFor({ state: 'detached' })
    await then.getByRole('link', { name: 'Source: About me' }).click()
    await page.locator('.found').getByText('I live in Graz').waitFor()
  })

  it('shows a playbook with its steps', async () => {
    const { page, open } = opened
    await open('/memory')
    await page.getByRole('link', { name: 'Playbooks' }).click()
    await page.getByText(/^When to use: /).waitFor()
    await page.getByRole('link', { name: 'File the expenses', exact: true }).click()
    await page.getByRole('term').filter({ hasText: 'When to use' }).waitFor()
    await page.getByRole('heading', { name: 'File the expenses', level: 1 }).waitFor()
    await page.getByText('Collect the receipts.').waitFor()
  })

  it('shows passes, and goes on with one that was given up', async () => {
    const { page, open, inspect } = opened
    await open('/memory/work')
    const given = page.getByRole('listitem').filter({ hasText: 'Given up' })
    await given.getByText('Stage: classify').waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'Done' }).count()).to.be.at.least(2)
    expect(await inspect('memory-pkm-work')).to.deep.equal([])
    await page.getByRole('button', { name: 'Try again: the pass over “My stamps”' }).click()
    await untilPass(({ chat_id: of, state }) => of === failedChat && state === 'done')
    await given.waitFor({ state: 'detached' })
    await open('/memory')
    await page.getByText('Collects stamps.').waitFor()
  })

  it('forgets a statement, which another chat does not bring back, and keeps a correction', async () => {
    const { page, open } = opened
    await open('/memory/statement')
    const rows = page.getByRole('list', { name: 'Statements' }).getByRole('listitem')
    const trains = rows.filter({ hasText: 'Prefers trains to planes.' })
    await trains.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Forget' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
    await trains.waitFor({ state: 'detached' })
    await rows
      .filter({ hasText: 'Has moved to Linz.' })
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Correct' }).click()
    const correct = page.getByRole('dialog', { name: 'Correct this memory' })
    await correct.getByLabel('Text').fill('Lives in Linz, by the river.')
    await correct.getByRole('button', { name: 'Save' }).click()
    await rows.filter({ hasText: 'Lives in Linz, by the river.' }).waitFor()
    const again = await say('Again', 'As I said: I prefer trains, and I live in Graz.')
    await untilPass(({ chat_id: of, state }) => of === again && state === 'done')
    await open('/memory')
    await page.getByText('“Lives in Linz, by the river.” is on record, but they have also said “Lives in Graz.”').waitFor()
    expect(await page.getByText('Prefers trains to planes.').count()).to.equal(0)
    await open('/memory/statement')
    await rows.filter({ hasText: 'Lives in Linz, by the river.' }).waitFor()
    expect(await page.getByText('Prefers trains to planes.').count()).to.equal(0)
  })

  it('shows the calls of its background work among the usage, and nothing went wrong in the browser', async () => {
    const { page, open } = opened
    await open('/usage')
    await page.getByRole('row', { name: 'Memory in the background' }).waitFor()
    expect(opened.complaints).to.deep.equal([])
  })
})
