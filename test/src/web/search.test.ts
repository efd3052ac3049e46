import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { type SearchEngine, startSearchEngine } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { callsWith } from '../agents/support/long-chats.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { type Api, signUp } from '../support/api.js'
import townPlugin from './support/town-plugin.js'

const key = 'tvly-canary-8f1d0a'

const resultText = (request: ModelRequest | undefined): string =>
  (request ? resultsIn(request) : []).flatMap(({ content }) => content.map((part) => (part.type === 'text' ? part.text : ''))).join('')

describe('web search of a whole service', () => {
  describe('with an instance of SearXNG at SERVICE_SEARCH_SELFHOSTED_BASE_URL', () => {
    let engine: SearchEngine
    let agents: AgentsKernel
    let ada: Person

    before(async () => {
      setScript()
      engine = await startSearchEngine()
      engine.reply(() => ({ body: JSON.stringify({ results: [{ url: 'https://ulm.example/', title: 'Ulm', content: 'A city.' }] }) }))
      agents = await startAgentsKernel({ environment: { SERVICE_SEARCH_SELFHOSTED_BASE_URL: `${engine.baseUrl}/` } })
      ada = await agents.person('ada')
      await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools: ['web_search', 'web_fetch'] })
    })
    after(async () => {
      await agents?.close()
      await engine?.close()
    })

    it('finds pages for an agent, without asking its person', async () => {
      const script = setScript({
        answer: (request) =>
          resultsIn(request).length === 0 ? callsWith('web_search', { query: 'ulm', limit: 3 }) : says('It is a city.'),
      })
      const chat = await ada.newChat()
      const stream = await ada.stream({ chatId: chat })
      expect((await endOf(stream, await ada.post(chat, 'What is Ulm?'))).name).to.equal('run.completed')
      stream.close()
      expect(script.requests[0]?.tools.map(({ name }) => name)).to.include.members(['web_search', 'web_fetch'])
      expect(resultText(script.requests[1])).to.match(
        /^SearXNG for “ulm”: 1 result\. .*\n\[web content \w+ begins\]\n1\. Ulm\n {3}https:\/\/ulm\.example\//,
      )
      expect(engine.requests[0]?.path).to.equal('/search?q=ulm&format=json')
    })

    it('says so to people, and lets an administrator try it', async () => {
      expect((await ada.request('GET', '/api/search')).body).to.deep.include({
        available: true,
        provider: 'selfhosted',
        title: 'SearXNG',
        reason: null,
      })
      const { status, body } = await ada.request('POST', '/api/admin/search/test', { query: 'weather' })
      expect([status, body['ok'], body['provider'], body['code']]).to.deep.equal([200, true, 'selfhosted', null])
      expect(body['results']).to.deep.equal([{ url: 'https://ulm.example/', title: 'Ulm', snippet: 'A city.', published_at: null }])
      engine.reply(() => ({ status: 403 }))
      const refused = (await ada.request('POST', '/api/admin/search/test', {})).body
      expect([refused['ok'], refused['code']]).to.deep.equal([false, 'search_unauthorized'])
      expect(String(refused['error'])).to.contain('search.formats')
      const audit = (await ada.request('GET', '/api/admin/audit?kind=search.tested')).body['items'] as readonly unknown[]
      expect(audit).to.have.length(2)
    })

    it('keeps an agent out of the network', async () => {
      const script = setScript({
        answer: (request) => (resultsIn(request).length === 0 ? callsWith('web_fetch', { url: `${engine.baseUrl}/secret` }) : says('No.')),
      })
      const before = engine.requests.length
      const chat = await ada.newChat()
      const stream = await ada.stream({ chatId: chat })
      await endOf(stream, await ada.post(chat, 'Read it.'))
      stream.close()
      expect(resultText(script.requests[1])).to.contain('The page was not read. Requests to “127.0.0.1” are refused')
      expect(engine.requests.length).to.equal(before)
    })
  })

  describe('by the rules of search.provider', () => {
    let kernel: TestKernel | undefined
    afterEach(() => kernel?.stop())

    const stateWith = async (environment: Readonly<Record<string, string>>, plugins: readonly string[] = []) => {
      kernel = await createTestKernel({ environment, plugins })
      const admin: Api = await signUp(kernel.url, 'ada')
      const state = (await admin.request('GET', '/api/search')).body
      return { admin, state }
    }

    it('takes the first key, and shows it nowhere', async () => {
      const { admin, state } = await stateWith({
        TAVILY_API_KEY: key,
        BRAVE_API_KEY: 'BSA-canary',
        SERVICE_SEARCH_SELFHOSTED_BASE_URL: 'http://127.0.0.1:9',
      })
      expect(state).to.deep.include({ available: true, provider: 'hosted_a', title: 'Tavily' })
      const shown = JSON.stringify([state, (await admin.request('GET', '/api/admin/config')).body, kernel?.log])
      expect(shown).to.not.contain(key).and.not.contain('BSA-canary')
    })

    it('replaces a configured provider without its key by no other, warns, and offers no tool', async () => {
      const { admin, state } = await stateWith({ SERVICE_SEARCH_PROVIDER: 'hosted_b', TAVILY_API_KEY: key })
      const reason = 'Brave Search needs the variable BRAVE_API_KEY, which is not set'
      expect(state).to.deep.include({ available: false, provider: 'hosted_b', title: 'Brave Search', reason })
      expect(
        kernel?.log.some(({ msg }) => String(msg).includes('web search is unavailable: Brave Search needs the variable BRAVE_API_KEY')),
      ).to.equal(true)
      const test = (await admin.request('POST', '/api/admin/search/test', {})).body
      expect([test['ok'], test['code'], test['error']]).to.deep.equal([
        false,
        'search_not_configured',
        `Web search is not available: ${reason}.`,
      ])
      const agents = (await admin.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
      await admin.request('PATCH', `/api/agents/${agents[0]?.id}`, { tools: ['web_search'] })
      const tools = (await admin.request('GET', `/api/tools?limit=200&agent=${agents[0]?.id}`)).body['items'] as readonly Record<
        string,
        unknown
      >[]
      expect(tools.find(({ name }) => name === 'web_search')).to.deep.include({ available: false, reason: 'withheld' })
    })

    it('takes a provider of a third party where it is configured', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-town-'))
      try {
        const plugin = await writeTestPlugin(path.join(folder, 'plugin'), townPlugin, new URL('./support/town-plugin.js', import.meta.url))
        const { admin, state } = await stateWith({ SERVICE_SEARCH_PROVIDER: 'town', TAVILY_API_KEY: key }, [plugin])
        expect(state).to.deep.include({ available: true, provider: 'town', title: 'Town search' })
        expect((await admin.request('POST', '/api/admin/search/test', {})).body['results']).to.have.length(1)
        await kernel?.stop()
        kernel = undefined
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  })
})
