import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import type { EventStream } from '../support/api.js'
import { type ConsolePage, closeBrowser, looks, openPage, refusalReport } from './open-page.js'
import harbourPlugin, { harbour, harbourToken } from './support/harbour-plugin.js'

const ada = { username: 'ada', password: 'a long enough password' }
const bob = { username: 'bob', password: 'a long enough password' }
/** What an outsider may call themselves, or write: nothing of it may act. */
const hostile = `<img src=x onerror="document.title='owned'"> [Click](javascript:alert(1))`
const answer = 'The ferry leaves at noon.'
const webhookSecret = 'a secret of more than thirty-two characters'
const connections = '/api/channels/connections'

/** Without what the browser says of a request that is refused. */
const own = ({ complaints }: Pick<ConsolePage, 'complaints'>): readonly string[] =>
  complaints.filter((text) => !text.startsWith(refusalReport(422, 'Unprocessable Entity')))

describe('channels in the console', function () {
  this.timeout(90_000)
  let folder: string
  let agents: AgentsKernel
  let person: Person
  let stream: EventStream
  let opened: ConsolePage

  before(async () => {
    setScript({ answer: () => says(answer) })
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-console-channels-'))
    const plugin = await writeTestPlugin(
      path.join(folder, 'plugin'),
      harbourPlugin,
      new URL('./support/harbour-plugin.js', import.meta.url),
    )
    agents = await startAgentsKernel({ plugins: [plugin] })
    person = await agents.person(ada.username)
    stream = await person.stream()
    opened = await openPage(agents.kernel, { credentials: ada, at: 'none' })
  })
  after(async () => {
    stream?.close()
    await closeBrowser()
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const said = (id: string, text: string, name = 'grace') =>
    harbour.receive({
      ...{ id, text, at: Date.now(), mentioned: true },
      ...{ conversation: { id: 'with-grace', kind: 'direct' }, sender: { id: 'grace', name, bot: false } },
    })
  const ownId = async (): Promise<string> => {
    const [first] = (await person.request('GET', connections)).body['items'] as readonly { readonly id: string }[]
    return first?.id ?? ''
  }
  /** Resolves once the log of the service has a message like this. */
  const untilLogged = async (isIt: (delivery: Readonly<Record<string, unknown>>) => boolean): Promise<void> => {
    const id = await ownId()
    for (const since = Date.now(); ; ) {
      const items = (await person.request('GET', `${connections}/${id}/deliveries`)).body['items'] as readonly Readonly<
        Record<string, unknown>
      >[]
      if (items.some(isIt)) return
      if (Date.now() - since > 30_000) throw new Error(`It is not among ${JSON.stringify(items)}.`)
    }
  }

  it('are connected by the steps of the vendor, with a secret that is not shown again', async () => {
    const { page, open, inspect } = opened
    await open('/channels')
    await page.getByText('No channels yet').waitFor()
    await open(`/channels/new?agent=${person.agentId}`)
    await page.getByRole('link', { name: 'Harbour' }).click()
    await page.getByText('Ask for a token').waitFor()
    const outside = page.getByRole('link', { name: /harbour\.example/ })
    expect(await outside.getAttribute('target')).to.equal('_blank')
    expect(await outside.getAttribute('rel')).to.contain('noopener')
    await page.getByText('the address that is shown once the connection is there').waitFor()
    await page.getByText('Goes into: Pier, Token').waitFor()
    expect(await page.getByLabel('Agent', { exact: true }).inputValue()).to.equal(person.agentId)
    expect(await page.getByLabel('Who may write').inputValue()).to.equal('pairing')
    expect(await page.getByLabel(/^In groups, answer only/).isChecked()).to.equal(true)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('Fill in this field.').first().waitFor()
    await page.getByLabel('Title of this connection').fill('Our harbour')
    await page.getByLabel('Pier').fill('seven')
    await page.getByLabel('Token', { exact: true }).fill('a wrong one')
    expect(await page.getByLabel('Token', { exact: true }).getAttribute('type')).to.equal('password')
    expect(await inspect('channels-connect')).to.deep.equal([])
    await page.getByRole('button', { name: 'Connect', exact: true }).click()

    await page.getByRole('heading', { name: 'Our harbour', level: 1 }).waitFor()
    await page.getByText('It does not connect. Above stands why.').waitFor()
    await page.getByText(/^Harbour refused the credentials of the connection/).waitFor()
    await page.getByText('Enter the connection again, with credentials that work.').waitFor()
    expect(await inspect('channels-failed')).to.deep.equal([])

    await page.getByRole('button', { name: 'Actions for Our harbour' }).click()
    await page.getByRole('menuitem', { name: 'Enter the connection again' }).click()
    const again = page.getByRole('dialog', { name: 'Enter Our harbour again' })
    expect(await again.getByLabel('Pier').inputValue()).to.equal('seven')
    expect(await again.getByLabel('Token', { exact: true }).inputValue()).to.equal('')
    await again.getByLabel('Token', { exact: true }).fill(harbourToken)
    await again.getByRole('button', { name: 'Connect', exact: true }).click()
    await again.waitFor({ state: 'detached' })
    await page.getByText('@pilot_of_seven').first().waitFor()
    await page.getByText('The service is connected.').waitFor()
    const address = await page.locator('.channels-url').innerText()
    expect(address).to.contain('/api/channels/webhook/')
    await page.getByText('Say where you are').waitFor()
    expect(await page.locator('.channels-step code', { hasText: address }).count()).to.equal(1)
    expect(await page.content()).not.to.contain(harbourToken)
    expect(await page.title()).to.contain('Our harbour')
    expect(own(opened)).to.deep.equal([])
  })

  it('let a person in who asks, and list the conversation and what was answered', async () => {
    const { page, inspect } = opened
    await said('1', 'When does the ferry leave?', hostile)
    const asking = page.getByRole('list', { name: 'Ask to be let in' }).getByRole('listitem')
    await asking.getByText(hostile).waitFor()
    await asking.getByText('One message waits').waitFor()
    const code = await asking.locator('.channels-code').innerText()
    await untilLogged(({ state }) => state === 'sent')
    expect(harbour.sent[0]?.text).to.contain(code)
    expect(await inspect('channels-asking')).to.deep.equal([])
    await asking.getByRole('button', { name: /^Let in / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(code).waitFor()
    await dialog.getByLabel('Who it is').selectOption({ label: 'You' })
    await dialog.getByText(/approve, from there, what agents ask/).waitFor()
    expect(await inspect('channels-let-in')).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Let in', exact: true }).click()
    await page.getByText('No one asks to be let in.').waitFor()
    const known = page.getByRole('list', { name: 'Known people' }).getByRole('listitem')
    await known.getByText('Let in', { exact: true }).waitFor()
    await known.getByText('You', { exact: true }).waitFor()

    await untilLogged(({ kind, state }) => kind === 'answer' && state === 'sent')
    await page.getByRole('tab', { name: 'Sent' }).click()
    const sent = page.getByRole('list', { name: 'Sent' }).getByRole('listitem')
    await sent.filter({ hasText: answer }).getByText('Sent', { exact: true }).waitFor()
    expect(await inspect('channels-sent')).to.deep.equal([])
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('It is connected, and a test message is on its way').waitFor()
    await untilLogged(({ kind, state }) => kind === 'test' && state === 'sent')
    await page.getByRole('button', { name: 'Read again' }).click()
    await sent.filter({ hasText: 'This is a test of the connection.' }).getByText('Sent', { exact: true }).waitFor()

    await page.getByRole('tab', { name: 'Conversations' }).click()
    await page.getByRole('list', { name: 'Conversations' }).getByText('with-grace').waitFor()
    expect(await inspect('channels-conversations')).to.deep.equal([])
    await page.getByRole('link', { name: 'Open the chat' }).click()
    await page.getByText(answer).first().waitFor()
    expect(await page.title()).not.to.equal('owned')
    expect(own(opened)).to.deep.equal([])
  })

  it('say what the vendor refused, and send it again', async () => {
    const { page, open } = opened
    harbour.refusal = `${hostile} is not welcome`
    await said('2', 'And the next one?')
    await untilLogged(({ state }) => state === 'failed')
    await open(`/channels/${await ownId()}?tab=sent`)
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Failed' })
    const failed = page.getByRole('list', { name: 'Sent' }).getByRole('listitem')
    await failed.getByText(`Harbour does not take this: ${hostile} is not welcome.`).waitFor()
    await failed.filter({ hasNotText: 'is not welcome' }).first().waitFor({ state: 'detached' })
    expect(await failed.count()).to.equal(1)
    harbour.refusal = undefined
    await failed.getByRole('button', { name: /^Send again the message of/ }).click()
    await page.getByText('The message waits to be sent.').first().waitFor()
    await untilLogged(({ kind, state, text, attempts }) => kind === 'answer' && state === 'sent' && text === answer && attempts === 1)
    await page.getByRole('button', { name: 'Read again' }).click()
    await page.getByText('None that is still kept is like this.').waitFor()
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Sent' })
    await page.getByRole('listitem').filter({ hasText: answer }).first().waitFor()
    expect(await page.title()).not.to.equal('owned')
    expect(own(opened)).to.deep.equal([])
  })

  it('count down to the next try while the vendor is down, and are tried, paused and set up otherwise', async () => {
    const { page, open, inspect } = opened
    const id = await ownId()
    await person.request('PATCH', `${connections}/${id}`, { retry: { initial_backoff_ms: 3_600_000, max_backoff_ms: 3_600_000 } })
    await stream.until(({ name, data }) => name === 'channel.updated' && data['change'] === 'state' && data['state'] === 'connected')
    await open(`/channels/${id}?tab=settings`)
    const settings = page.getByRole('tabpanel')
    const state = page.getByRole('region', { name: 'State' })
    await settings.getByText('Default: 1 sec', { exact: true }).waitFor()
    harbour.isDown = true
    harbour.breakOff()
    await state.getByText('Retrying', { exact: true }).waitFor()
    await page.getByText(/^Next try in \d/).waitFor()
    await page.getByText(/the fog is too thick/).waitFor()
    await page.getByText('It is tried again by itself. Messages wait meanwhile.').waitFor()
    expect(await inspect('channels-retrying')).to.deep.equal([])
    await open('/channels')
    const row = page.getByRole('listitem').filter({ hasText: 'Our harbour' })
    await row.getByText(/^Next try in \d/).waitFor()
    expect(await inspect('channels')).to.deep.equal([])
    harbour.isDown = false
    await row.getByRole('button', { name: 'Try now: Our harbour' }).click()
    await row.getByText('Connected', { exact: true }).waitFor()

    await row.getByRole('link', { name: 'Our harbour' }).click()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await settings.getByRole('button', { name: 'Change how it is tried again' }).click()
    const retry = page.getByRole('dialog', { name: 'Change how it is tried again' })
    await retry.getByText('Default: no limit').waitFor()
    await retry.getByLabel('Retries until it has failed').fill('1.5')
    await retry.getByRole('button', { name: 'Save' }).click()
    await retry.getByText(/^A whole number from 0 to/).waitFor()
    expect(await inspect('channels-retry')).to.deep.equal([])
    await retry.getByLabel('Retries until it has failed').fill('7')
    await retry.getByLabel('First wait, in milliseconds').fill('')
    await retry.getByLabel('Longest wait, in milliseconds').fill('')
    await retry.getByRole('button', { name: 'Save' }).click()
    await retry.waitFor({ state: 'detached' })
    expect((await person.request('GET', `${connections}/${id}`)).body['retry']).to.deep.equal({ max_retries: 7 })
    await settings.getByText('7', { exact: true }).waitFor()
    await settings.getByRole('button', { name: 'Change who answers whom' }).click()
    const choices = page.getByRole('dialog', { name: 'Change who answers whom' })
    await choices.getByLabel('Who may write').selectOption({ label: 'Everyone' })
    await choices.getByText(/^Anyone who finds the account/).waitFor()
    await choices.getByLabel('Tools for guests').fill('Not a name')
    await choices.getByRole('button', { name: 'Save' }).click()
    await choices.locator('.help.err').waitFor()
    await choices.getByLabel('Tools for guests').fill('get_time')
    await choices.getByRole('button', { name: 'Save' }).click()
    await choices.waitFor({ state: 'detached' })
    await settings.getByText('Everyone', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Pause' }).click()
    await state.getByText('Paused', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Go on' }).click()
    await state.getByText('Connected', { exact: true }).waitFor()
    await open(`/agents/${person.agentId}`)
    await page.getByRole('link', { name: 'Channels where this agent answers' }).click()
    await page.getByText(/is chosen to answer/).waitFor()
    await row.getByRole('link', { name: 'Our harbour' }).click()
    await page.getByRole('button', { name: 'Actions for Our harbour' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete Our harbour?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No channels yet').waitFor()
    expect(own(opened)).to.deep.equal([])
    await open(`/channels/${id}`)
    await page.getByText('This connection is not there any more.').waitFor()
  })

  describe('that administrators share', () => {
    let program: Server
    const posted: Readonly<Record<string, unknown>>[] = []
    let arrived: () => void = () => undefined

    before(async () => {
      program = createServer((request, response) => {
        let body = ''
        request.on('data', (chunk) => {
          body += String(chunk)
        })
        request.on('end', () => {
          posted.push(JSON.parse(body) as Readonly<Record<string, unknown>>)
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Town board"}')
          arrived()
        })
      }).listen(0, '127.0.0.1')
      await once(program, 'listening')
    })
    after(() => {
      program.close()
      program.closeAllConnections()
    })

    const untilPosted = async (isIt: (text: string) => boolean): Promise<string> => {
      for (;;) {
        const next = new Promise<void>((resolve) => {
          arrived = resolve
        })
        const found = posted.map(({ text }) => String(text)).find(isIt)
        if (found !== undefined) return found
        await next
      }
    }
    /** What the program posts to the service, signed. */
    const post = async (address: string, id: string, text: string): Promise<number> => {
      const body = JSON.stringify({ id, text, conversation: { id: 'board' }, sender: { id: 'bob-at-the-board', name: 'Bob' } })
      const time = Math.floor(Date.now() / 1_000)
      const signature = createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-signature': `t=${time},v1=${signature}` }
      const url = new URL(new URL(address).pathname, agents.kernel.url)
      return (await fetch(url, { method: 'POST', headers, body })).status
    }

    it('answer each person who enters their code with their own agent, and show nothing of what was said', async () => {
      const { page, open, inspect } = opened
      const before = opened.complaints.length
      await agents.person(bob.username)
      await open('/channels')
      await page.getByRole('link', { name: 'Channels for everyone are under Administration.' }).click()
      await page.getByRole('link', { name: 'Connect a channel' }).click()
      await page.getByRole('link', { name: 'Webhook' }).click()
      await page.getByText(/^People pair themselves with their own accounts here/).waitFor()
      expect(await page.getByLabel('Who may write').count()).to.equal(0)
      await page.getByLabel('Title of this connection').fill('Town board')
      await page.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${(program.address() as AddressInfo).port}/in`)
      await page.getByLabel('Secret', { exact: true }).fill(webhookSecret)
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByText('It is connected.', { exact: true }).waitFor()
      const address = await page.locator('.channels-url').innerText()

      expect(await post(address, '1', 'What is in my calendar?')).to.equal(200)
      const [, code = ''] = /Your code is ([A-Z0-9]+)/.exec(await untilPosted((text) => text.includes('Your code is'))) ?? []
      const phone = await openPage(agents.kernel, { credentials: bob, at: 'none', locale: 'de-DE', look: looks[3] })
      await phone.open('/channels')
      await phone.page.getByText('Noch keine Kanäle').waitFor()
      await phone.page.getByRole('button', { name: 'Code eingeben' }).click()
      const claim = phone.page.getByRole('dialog')
      await claim.getByLabel('Code').fill(code.toLowerCase())
      expect(await phone.inspect('channels-claim-german')).to.deep.equal([])
      await claim.getByRole('button', { name: 'Ansehen, wem er gehört' }).click()
      await phone.page.getByText('bob-at-the-board').waitFor()
      await phone.page.getByText('What is in my calendar?').waitFor()
      expect(await phone.inspect('channels-claimed-german')).to.deep.equal([])
      await phone.page.getByRole('dialog', { name: 'Bist du das?' }).getByRole('button', { name: 'Koppeln' }).click()
      await phone.page
        .getByText(/^Der Kanal kennt dich jetzt/)
        .first()
        .waitFor()
      await untilPosted((text) => text === answer)
      const paired = phone.page.getByRole('list', { name: 'Wer du in gemeinsamen Kanälen bist' }).getByRole('listitem')
      await paired.getByText('Town board').waitFor()
      await phone.open('/channels/new?channel=telegram')
      await phone.page.getByText('Einen Bot anlegen').waitFor()
      await phone.page.getByText('Empfang über', { exact: true }).waitFor()
      expect(await phone.inspect('channels-connect-german')).to.deep.equal([])
      expect(own(phone)).to.deep.equal([])
      await phone.close()

      await page.getByRole('button', { name: 'Read again' }).click()
      const known = page.getByRole('list', { name: 'Known people' }).getByRole('listitem')
      await known.getByText('bob-at-the-board').waitFor()
      expect(await inspect('admin-channels')).to.deep.equal([])
      await page.getByRole('tab', { name: 'Sent' }).click()
      await page.getByText('What is said over a shared connection is not shown here.').first().waitFor()
      expect(await page.content()).not.to.contain(answer)
      expect(await page.content()).not.to.contain(webhookSecret)
      await page.getByRole('tab', { name: 'People' }).click()
      await known.getByRole('button', { name: 'Forget Bob' }).click()
      await page.getByRole('dialog', { name: 'Forget Bob?' }).getByRole('button', { name: 'Forget' }).click()
      await known.waitFor({ state: 'detached' })
      expect(own({ complaints: opened.complaints.slice(before) })).to.deep.equal([])
    })
  })
})
