import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { seenTexts } from '../bad-input/support/described-requests.js'
import { fillPath } from '../bad-input/support/operations.js'
import { requestBytes, sendBytes } from '../bad-input/support/raw-http.js'
import type { Browser } from '../sso/support/browser.js'
import { type SignOnService, startSignOnService } from '../sso/support/sign-on.js'
import { type Api, clientWith, type EventStream } from '../support/api.js'
import { type ApiDescription, operationsOf, readDescription } from '../support/api-description.js'
import { bodyOperations, withText } from './support/described-bodies.js'

const password = 'a long enough phrase'
const mark = 'eve.example'
type Item = Readonly<Record<string, unknown>>

/** What would end the session of the stranger, ask a vendor, or make the account one of another person. */
const leftOut = new Set(['changePassword', 'changeUsername', 'confirmSession', 'changeOwnProfile', 'login', 'register', 'openTerminal'])

/** CVE-2026-54039: an account was registered with the address of another person, who later signed in to it. */
describe('an account in which a stranger has filled in all that there is', function () {
  this.timeout(120_000)
  let service: SignOnService
  let description: ApiDescription
  let stranger: Api
  let owner: Api
  let token: string
  let stream: EventStream
  let clients = 0
  const planted = new Set<string>()

  const apiOf = async (browser: Browser): Promise<Api> => {
    const { token: access, user } = await service.profile(browser)
    return clientWith(service.url, { token: access, userId: String(user['id']) })
  }
  /** The lists of a person that have the mark, as they are read. */
  const marked = async (person: Api): Promise<readonly string[]> => {
    const lists: string[] = []
    for (const { path, method, operation } of operationsOf(description)) {
      const isJson = operation.responses['200']?.content?.['application/json'] !== undefined
      if (method !== 'GET' || path.includes('{') || !isJson || operation.parameters.some(({ required }) => required)) continue
      if (operation['x-auth'] !== 'user') continue
      const { status, body } = await person.request('GET', path)
      if (status === 200 && JSON.stringify(body).includes(mark)) lists.push(operation.operationId)
    }
    return lists
  }

  before(async () => {
    service = await startSignOnService({})
    service.peer.serve(`${service.url}/api/auth/sso/callback`)
    service.peer.people.set('root', { preferred_username: 'root' })
    await service.signIn(service.browser(), 'root', { setup_code: String(await service.kernel.auth.pendingSetupCode()) })
    const browser = service.browser()
    const registered = await browser.call('POST', `${service.url}/api/auth/register`, {
      username: 'eve',
      password,
      email: 'vic@example.org',
    })
    expect(registered.status).to.equal(201)
    stranger = await apiOf(browser)
    description = await readDescription(service.url)
    token = String((await stranger.request('POST', '/api/auth/tokens', { name: 'mine', scopes: ['read', 'write'] })).body['token'])
    await fillIn()
    stream = await stranger.stream()
  })
  after(() => service?.stop())

  /** Puts the mark into every text of every body that makes or changes something of the stranger's. */
  async function fillIn(): Promise<void> {
    const webhook = { channel: 'webhook', title: 'Town', members: { url: 'https://127.0.0.1/x', secret: 'x'.repeat(32) } }
    const bodies: Readonly<Record<string, JsonObject>> = {
      createChannelConnection: webhook,
      createVault: { connector: 'kv2', title: 'Store', members: { address: 'https://127.0.0.1:9', token: 'x'.repeat(32) } },
      ...{ installSkill: { url: 'https://127.0.0.1/a.zip' }, updateAgent: {}, changeChannelConnection: {} },
    }
    for (const makes of [true, false]) {
      const seen = await seenTexts(description, { user: stranger, admin: stranger })
      const ids = Object.fromEntries(
        [...seen].flatMap(([name, [text]]) => (name.endsWith('_id') && text !== undefined ? [[name, text]] : [])),
      )
      const chosen = bodyOperations(description, { ids, bodies }).filter(
        ({ id, path, method, auth }) =>
          auth === 'user' && !leftOut.has(id) && path.startsWith('/api/') && (method === 'POST' && !path.includes('{')) === makes,
      )
      for (const { id, method, path, schema, body } of chosen)
        for (const { body: changed } of withText(schema, body, `https://${mark}/x`)) {
          clients += 1
          const target = fillPath(path, { run_id: 'nothing', agent_id: '', chat_id: '', space_id: '', ...ids })
          const bytes = requestBytes(target, { method, token: stranger.token, body: JSON.stringify(changed) })
          const { status } = await sendBytes(service.url, bytes, { from: `127.10.${clients >> 8}.${clients & 255 || 1}` })
          if (status < 300) planted.add(id)
        }
    }
  }

  const itemsOf = async (list: string): Promise<readonly Item[]> =>
    (await owner.request('GET', `${list}?limit=200`)).body['items'] as readonly Item[]

  it('has it in every list that a person reads', async () => {
    expect([...planted]).to.include.members(['createAgent', 'updateAgent', 'createMessage', 'changeChannelConnection', 'updateMemory'])
    expect(await marked(stranger)).to.include.members([
      ...['listAgents', 'listTokens', 'listChannelConnections', 'listChats', 'listPersonalCredentials', 'listMemories'],
      ...['listSkills', 'listSpaces', 'listTasks', 'listVaults'],
    ])
  })

  it('lets no one in who was in it, once its owner has signed on', async () => {
    service.peer.people.set('vic', { email: 'vic@example.org', email_verified: true })
    const browser = service.browser()
    await service.signIn(browser, 'vic')
    owner = await apiOf(browser)
    expect(owner.userId).to.equal(stranger.userId)
    for (const credential of [stranger.token, token])
      expect((await clientWith(service.url, { token: credential, userId: '' }).request('GET', '/api/auth/me')).status).to.equal(401)
    const login = await service.browser().call('POST', `${service.url}/api/auth/login`, { username: 'eve', password })
    expect(login.status).to.equal(401)
    await stream.until(({ name }) => name === 'closing')
    expect(await itemsOf('/api/auth/tokens')).to.deep.equal([])
    expect(await itemsOf('/api/auth/sessions')).to.have.length(1)
  })

  it('has nothing of the stranger left but chats, their places, and what does not work by itself', async () => {
    expect(await marked(owner)).to.have.members(['listAgents', 'listChats', 'listChatTags', 'listSpaces', 'listTasks'])
    const agents = await itemsOf('/api/agents')
    expect(agents.filter(({ enabled }) => enabled).every(({ shared }) => shared !== null)).to.equal(true)
    expect(agents.find(({ handle }) => handle === 'writer')).to.include({ enabled: false })
    for (const agent of agents.filter(({ enabled }) => enabled)) expect(JSON.stringify(agent)).to.not.include(mark)
    for (const { context } of await itemsOf('/api/spaces')) expect(context).to.equal('')
    const statuses = new Set((await itemsOf('/api/tasks')).map(({ status }) => status))
    for (const status of statuses) expect(status).to.be.oneOf(['paused', 'cancelled', 'failed', 'completed'])
    for (const list of [
      '/api/channels/connections',
      '/api/vaults',
      '/api/credentials',
      '/api/credentials/grants',
      '/api/shares',
      '/api/memory',
    ])
      expect(await itemsOf(list), list).to.deep.equal([])
  })
})
