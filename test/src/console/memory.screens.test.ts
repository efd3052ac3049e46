import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { lastingPort } from '../support/lasting-port.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import fullPlugin from './support/memory-full.js'
import plainPlugin from './support/memory-plain.js'
import { background, fullMemory, plainMemory } from './support/memory-plugins.js'

const ada = { username: 'ada', password: 'a long enough password' }
const { signal } = new AbortController()
const day = 86_400_000
const ago = (days: number): string => new Date(Date.now() - days * day).toISOString()
/** What a model may have written: nothing of it may act. */
const hostile = `<img src=x onerror="document.title='owned'"> [Click](javascript:alert(1)) ${'w'.repeat(600)}`

const recordOf = (id: string, text: string, more: Partial<MemoryRecord> = {}): MemoryRecord => ({
  ...{ format: 1, id, scope: { kind: 'user' }, kind: 'note', text, pinned: false, fadesAt: null, evidence: [] },
  ...{ createdAt: ago(60), updatedAt: ago(30) },
  ...more,
})

async function* each(records: readonly MemoryRecord[]): AsyncGenerator<MemoryRecord> {
  yield* records
}

describe('the memory in the console', function () {
  this.timeout(90_000)
  let folder: string
  let agents: AgentsKernel
  let person: Person
  let userId: string
  let chatId: string
  let messageId: string
  let opened: ConsolePage

  const refresh = async (): Promise<void> => {
    person = await agents.person(ada.username)
  }

  before(async () => {
    setScript({ answer: () => says('Noted.') })
    folder = await mkdtemp(path.join(tmpdir(), 'console-memory-'))
    const module = (name: string): URL => new URL(`./support/memory-${name}.js`, import.meta.url)
    // The page finds the service again where it was before the restart.
    const environment = { SERVICE_SERVER_PORT: String(await lastingPort()) }
    agents = await startAgentsKernel({
      environment,
      plugins: [
        await writeTestPlugin(path.join(folder, 'plain'), plainPlugin, module('plain')),
        await writeTestPlugin(path.join(folder, 'full'), fullPlugin, module('full')),
      ],
    })
    await agents.restart(() => appendFile(path.join(agents.kernel.folder, 'data', 'config.yaml'), 'memory:\n  backend: plain\n'))
    await refresh()
    userId = String((await person.request('GET', '/api/auth/me')).body['id'])
    await person.request('PATCH', `/api/agents/${person.agentId}`, { name: 'Clerk' })
    const space = await person.request('POST', '/api/spaces', { name: 'Trips' })
    expect(space.status).to.equal(201)
    chatId = await person.newChat()
    await person.request('PATCH', `/api/chats/${chatId}`, { title: 'About trains' })
    const stream = await person.stream()
    const runId = await person.post(chatId, 'I prefer the train.')
    await endOf(stream, runId)
    stream.close()
    messageId = (await person.messages(chatId))[0]?.id ?? ''
    opened = await openPage(agents.kernel, { credentials: ada, at: 'none' })
  })
  after(async () => {
    await closeBrowser()
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('shows only what a plain back end has; people add, correct, pin and forget', async () => {
    const { page, open, inspect } = opened
    await open('/memory')
    await page.getByText('Nothing remembered yet').waitFor()
    const tabs = page.getByRole('navigation', { name: 'Memory' })
    expect(await tabs.getByRole('link').allTextContents()).to.deep.equal(['Short memories'])
    expect(await page.getByLabel('As of').count()).to.equal(0)
    await page.getByRole('button', { name: 'Add memory' }).click()
    const form = page.getByRole('dialog', { name: 'Add memory' })
    await form.getByRole('button', { name: 'Add memory' }).click()
    await form.getByText('Write what is to be remembered.').waitFor()
    expect(await inspect('memory-add')).to.deep.equal([])
    await form.getByLabel('What agents are to know').fill('I like trains.')
    await form.getByLabel('Known to').selectOption({ label: 'Only Clerk' })
    await form.getByRole('button', { name: 'Add memory' }).click()
    await form.waitFor({ state: 'detached' })
    const row = page.getByRole('list', { name: 'Short memories' }).getByRole('listitem')
    await row.getByText('Only Clerk').waitFor()

    await row.getByRole('button', { name: 'Actions for I like trains.' }).click()
    await page.getByRole('menuitem', { name: 'Correct' }).click()
    const correct = page.getByRole('dialog', { name: 'Correct this memory' })
    await correct.getByLabel('Text').fill('I like night trains.')
    await correct.getByRole('button', { name: 'Save' }).click()
    await row.getByText('I like night trains.').waitFor()
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Pin' }).click()
    await row.getByText('Pinned').waitFor()
    const [stored] = (await plainMemory.list({ userId }, { limit: 10, signal })).items
    expect(stored).to.deep.include({ text: 'I like night trains.', pinned: true, scope: { kind: 'agent', agentId: person.agentId } })

    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Forget' }).click()
    const question = page.getByRole('dialog', { name: 'Forget this memory?' })
    await question.getByText('It is not learnt again from what was said before.').waitFor()
    await question.getByRole('button', { name: 'Keep it' }).click()
    await row.waitFor()
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Forget' }).click()
    await question.getByRole('button', { name: 'Forget' }).click()
    await page.getByText('Nothing remembered yet').waitFor()
    expect((await plainMemory.list({ userId }, { limit: 10, signal })).items).to.deep.equal([])
  })

  it('follows what agents remember, searches, narrows by scope, and is taken out and in', async () => {
    const { page, open, inspect } = opened
    await open(`/agents/${person.agentId}`)
    await page.getByRole('link', { name: 'What only it knows' }).click()
    await page.getByRole('heading', { name: 'Memory', level: 1 }).waitFor()
    expect(await page.getByLabel('Known to').locator('option:checked').textContent()).to.equal('Only Clerk')
    await page.getByText('Nothing found').waitFor()
    await page.getByLabel('Known to').selectOption({ label: 'Anyone' })
    await page.getByText('Nothing remembered yet').waitFor()
    await person.request('POST', '/api/memory', { text: 'Lives in Bern.' })
    await page.getByText('Lives in Bern.').waitFor()
    await person.request('POST', '/api/memory', { text: hostile, scope: { kind: 'agent', agent_id: person.agentId } })
    await page.getByText('<img src=x').waitFor()
    expect(await page.locator('main img, main a[href^="javascript"]').count()).to.equal(0)
    expect(await page.title()).not.to.contain('owned')
    expect(await inspect('memory')).to.deep.equal([])
    await page.getByLabel('Search').fill('bern')
    await page.getByText('<img src=x').waitFor({ state: 'detached' })
    await page.getByText('Lives in Bern.').waitFor()
    await page.getByLabel('Search').fill('')
    await page.getByLabel('Known to').selectOption({ label: 'Only Clerk' })
    await page.getByText('Lives in Bern.').waitFor({ state: 'detached' })
    await page.getByText('<img src=x').waitFor()

    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export and import' }).click()
    await page.getByRole('menuitem', { name: 'Export as Markdown' }).click()
    const markdown = await saved
    expect(markdown.suggestedFilename()).to.equal('memories.md')
    expect(await readFile((await markdown.path()) ?? '', 'utf8')).to.contain('Lives in Bern.')

    const bad = path.join(folder, 'bad.ndjson')
    const good = path.join(folder, 'good.ndjson')
    await writeFile(bad, '{"format":1}\n')
    await writeFile(good, `${JSON.stringify(recordOf('imported', 'Speaks Italian.'))}\n`)
    await page.getByRole('button', { name: 'Export and import' }).click()
    await page.getByRole('menuitem', { name: 'Import' }).click()
    const form = page.getByRole('dialog', { name: 'Import memories' })
    await form.getByLabel('File').setInputFiles(bad)
    await form.getByRole('button', { name: 'Import' }).click()
    await form.getByText(/^Line 1:/).waitFor()
    expect(await inspect('memory-import')).to.deep.equal([])
    await form.getByLabel('File').setInputFiles(good)
    await form.getByRole('button', { name: 'Import' }).click()
    await page.getByText('1 record read').first().waitFor()
    await page.getByLabel('Known to').selectOption({ label: 'Anyone' })
    await page.getByText('Speaks Italian.').waitFor()
  })

  it('moves to another back end, which is activated by a restart', async () => {
    const { page, open, inspect } = opened
    await open('/admin/memory')
    await page.getByText('Nothing beyond remembering and searching').waitFor()
    await page.getByLabel('To', { exact: true }).selectOption('full')
    await page.getByText('The memory full of a test.').waitFor()
    expect(await inspect('admin-memory')).to.deep.equal([])
    await page.getByRole('button', { name: 'Copy to “full”' }).click()
    await page.getByText('Ready: all copies in “full” are the same as in “plain”').waitFor({ timeout: 60_000 })
    await page.getByText('1 user, 4 records').waitFor()
    expect(await inspect('admin-memory-ready')).to.deep.equal([])
    await page.getByRole('button', { name: 'Give up the move' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click()
    // The kernel of a test is restarted from outside.
    let restarted: Promise<void> | undefined
    await page.route('**/api/admin/restart', async (route) => {
      if (route.request().method() === 'POST') {
        restarted = agents.restart()
        return route.fulfill({ status: 202, json: { status: 'restarting', work: { calls: 0, requests: 0, resumes: 0, ends: 0 } } })
      }
      await restarted
      await route.fallback()
    })
    await page.getByRole('button', { name: 'Use “full” and restart' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Is it you?' })
    await confirmation.getByLabel('Password', { exact: true }).fill(ada.password)
    await confirmation.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Moved from “plain” to “full”').waitFor({ timeout: 60_000 })
    await page.getByText('Knows what held at an earlier time').waitFor()
    expect(await inspect('admin-memory-done')).to.deep.equal([])
    const texts = (await fullMemory.list({ userId }, { limit: 10, signal })).items.map(({ text }) => text)
    expect(texts).to.have.members(['Lives in Bern.', 'Speaks Italian.', hostile])
    await restarted
    await refresh()
  })

  it('shows pages with statements of a time, playbooks, when something drops out, and its source', async () => {
    const { page, open, inspect } = opened
    const evidence = [{ chatId, messageId }]
    await fullMemory.import(
      userId,
      each([
        recordOf('fading', 'Waits for a parcel.', { fadesAt: new Date(Date.now() + 12 * day + 3_600_000).toISOString(), evidence }),
        recordOf('bern', 'A city, and home.', { kind: 'summary', title: 'Bern' }),
        recordOf('was', 'Works at the library.', { kind: 'statement', pageId: 'bern', validFrom: ago(400), validTo: ago(20) }),
        recordOf('is', 'Works at the museum.', { kind: 'statement', pageId: 'bern', validFrom: ago(20), evidence }),
        recordOf('bake', '1. Wait.\n2. Bake.', { kind: 'playbook', title: 'Bake bread' }),
      ]),
      { signal },
    )
    await open('/memory')
    const fading = page.getByRole('listitem').filter({ hasText: 'Waits for a parcel.' })
    await fading.getByText('Drops out in 12 days').waitFor()
    expect(await fading.getByRole('link', { name: 'Source: About trains' }).getAttribute('href')).to.equal(
      `/chats/${chatId}?message=${messageId}`,
    )
    const tabs = page.getByRole('navigation', { name: 'Memory' })
    await tabs.getByRole('link', { name: 'Playbooks' }).click()
    await page.getByRole('link', { name: 'Bake bread', exact: true }).waitFor()
    await tabs.getByRole('link', { name: 'Pages' }).click()
    await page.getByRole('link', { name: 'Bern', exact: true }).click()
    await page.getByRole('heading', { name: 'Bern', level: 1 }).waitFor()
    const statements = page.getByRole('list', { name: 'Statements' })
    await statements.getByText('Works at the museum.').waitFor()
    expect(await statements.getByText('Works at the library.').count()).to.equal(0)
    expect(await inspect('memory-page')).to.deep.equal([])
    await page.getByLabel('As of').fill(ago(100).slice(0, 10))
    await statements.getByText('Works at the library.').waitFor()
    await statements.getByText('Works at the museum.').waitFor({ state: 'detached' })
    await page.getByLabel('As of').fill('')
    await statements.getByRole('link', { name: 'Source: About trains' }).click()
    await page.locator('.found').getByText('I prefer the train.').waitFor()
  })

  it('shows background work: passes that are tried again, and texts that are brought back', async () => {
    const { page, open, inspect } = opened
    background.passes = [
      {
        ...{ id: 'p2', chatId, state: 'abandoned', stage: 'classify', attempt: 3, error: 'The model gave no answer.', nextAttemptAt: null },
        ...{ startedAt: ago(1), finishedAt: ago(1) },
      },
      {
        ...{ id: 'p1', chatId, state: 'waiting', stage: 'extract', attempt: 1, error: null, finishedAt: null },
        ...{ nextAttemptAt: new Date(Date.now() + 2 * 3_600_000 + 60_000).toISOString(), startedAt: ago(2) },
      },
    ]
    background.revisions = [{ id: 'r1', scope: { kind: 'user' }, text: `Before.\n${hostile}`, replacedAt: ago(1), expiresAt: ago(-6) }]
    await open('/memory')
    await page.getByRole('link', { name: 'Background work' }).click()
    const given = page.getByRole('listitem').filter({ hasText: 'Given up' })
    await given.getByText('The model gave no answer.').waitFor()
    await given.getByText('Attempt 3').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Stage: extract' }).getByText('Next attempt in 2 hours').waitFor()
    expect(await inspect('memory-work')).to.deep.equal([])
    await page.getByRole('button', { name: 'Try again: the pass over “About trains”' }).click()
    await given.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Bring back what was replaced yesterday' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Bring back' }).click()
    await page.getByText('Nothing to bring back').waitFor()
    expect(background.calls).to.deep.equal(['retry p2', 'restore r1'])
  })

  it('leaves a chat out at its switch, which its head shows', async () => {
    const { page, open, inspect } = opened
    await open(`/chats/${chatId}`)
    const head = page.locator('header.bar')
    await head.getByRole('button', { name: 'Actions of this chat' }).click()
    await page.getByRole('menuitem', { name: 'Do not remember this chat' }).click()
    await head.getByText('Not remembered').waitFor()
    expect((await person.request('GET', `/api/memory/chats/${chatId}`)).body['remember']).to.equal(false)
    expect(await inspect('chat-not-remembered')).to.deep.equal([])
    // Another tab, or the terminal.
    await person.request('PUT', `/api/memory/chats/${chatId}`, { remember: true })
    await head.getByText('Not remembered').waitFor({ state: 'detached' })
  })

  it('shows what its background work costs, and speaks German', async () => {
    const { page, open, inspect } = opened
    const sum = (purpose: string | null, cost_usd: number) => ({
      ...{ purpose, calls: 1, failed_calls: 0, input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 },
      ...{ cost_usd, unpriced_calls: 0 },
    })
    await page.route(/\/api\/usage\?.*group_by=purpose/, (route) =>
      route.fulfill({ json: { items: [sum(null, 0.5), sum('memory', 0.75)], next_cursor: null } }),
    )
    await open('/usage')
    await page.getByRole('row', { name: 'Memory in the background' }).getByText('$0.75').waitFor()
    expect(await inspect('usage-purposes')).to.deep.equal([])
    await open('/profile')
    await page.getByLabel('Language', { exact: true }).selectOption('de')
    await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
    await open('/memory')
    await page.getByText('Fällt heraus in 12 Tagen').waitFor()
    expect(await inspect('memory-german')).to.deep.equal([])
    await open('/admin/memory')
    await page.getByText('Von „plain“ nach „full“ umgezogen').waitFor()
    // The browser itself reports the import that was refused, the save before “Is it you?”, and requests during the restart.
    const own = opened.complaints.filter((complaint) => !/403|422|503|ERR_|401/.test(complaint))
    expect(own).to.deep.equal([])
  })
})
