import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { asksForSummary, messageText, smallWindowEnvironment, wordsOf } from '../agents/support/long-chats.js'
import { resultsIn, type Script, setScript } from '../agents/support/scripted-plugin.js'
import { confirm, type EventStream } from '../support/api.js'

/** What a model is asked for. */
type Kind = 'answer' | 'title' | 'summary' | 'notes' | 'memory' | 'client' | 'probe'

/**
 * Every place that calls a model, and which of the requests below come from it. One that is new has to
 * be driven here before it counts as known.
 */
const callSites: Readonly<Record<string, readonly Kind[]>> = {
  'feature-agents/src/runs/turns/ask-model.ts': ['answer'],
  'feature-agents/src/titles/write-title.ts': ['title'],
  'feature-agents/src/context/write-summary.ts': ['summary'],
  'memory-basic/src/compaction/compact-scope.ts': ['notes'],
  'memory-pkm/src/model/ask-model.ts': ['memory'],
  'feature-model-api/src/answers/prepare-answer.ts': ['client'],
  'feature-inference/src/probes/call-once.ts': ['probe'],
  // Passes on what the others ask for.
  'feature-inference/src/calls/create-inference.ts': [],
}

/** Every tool that a model could know by its name, of the service and of the tests. */
const known = [
  ...['tool__read', 'tool__idempotent', 'tool__checkable', 'tool__unsafe', 'get_time', 'shell', 'python', 'node', 'install_packages'],
  ...['write_file', 'read_file', 'remember', 'forget', 'memory_search', 'web_fetch', 'web_search', 'create_task', 'send_file'],
]

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
/** Says something and calls tools in the same answer. */
async function* saysAndCalls(text: string, called: readonly (readonly [string, JsonObject])[]): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  const toolCalls = called.map(([name, args], part) => ({
    ...{ type: 'tool_call' as const, call_id: `vendor-${part}`, name, arguments: args },
  }))
  yield { type: 'response.finished', content: [{ type: 'text', text }, ...toolCalls], stop_reason: 'tool_calls', usage }
}
async function* says(text: string): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'response.finished', content: [{ type: 'text', text }], stop_reason: 'stop', usage }
}

const systemOf = ({ messages }: ModelRequest): string =>
  messages.flatMap((each) => (each.role === 'system' ? [messageText(each)] : [])).join('\n')
const askedOf = ({ messages }: ModelRequest): string => {
  const last = messages.findLast(({ role }) => role === 'user')
  return last ? messageText(last) : ''
}
const memoryRoles = /You are (?:a|an|the) (?:note taker|librarian|matchmaker|auditor|editor|ontology board)/

function kindOf(request: ModelRequest): Kind {
  if (request.model === 'small-model') return 'title'
  if (asksForSummary(request)) return 'summary'
  if (systemOf(request).includes('You keep the notes of an assistant short')) return 'notes'
  if (memoryRoles.test(systemOf(request))) return 'memory'
  if (askedOf(request) === 'Say OK.') return 'probe'
  return askedOf(request).includes('client program') ? 'client' : 'answer'
}

/** Calls all tools at once whenever it is asked, whether they are offered or not. */
function callsAll(request: ModelRequest): AsyncIterable<ModelEvent> {
  const all = known.map((name) => [name, {}] as const)
  if (resultsIn(request).length > 0 && request.messages.at(-1)?.role === 'tool') return says(wordsOf('Done.', 100))
  switch (kindOf(request)) {
    case 'answer':
      if (askedOf(request).includes('Ask the worker'))
        return saysAndCalls('', [['delegate', { agent: 'worker', task: 'Use all that you have.' }], ...all])
      if (askedOf(request).includes('Plan for the worker'))
        return saysAndCalls('', [['create_task', { agent: 'worker', instruction: 'Use all that you have.', wait: true }], ...all])
      return saysAndCalls('', all)
    case 'notes':
      return saysAndCalls(JSON.stringify({ memories: [] }), all)
    default:
      return saysAndCalls('A few words.', all)
  }
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []))
}

describe('the tools of model calls', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let ada: Person
  let worker: string
  let stream: EventStream
  let script: Script
  let ran: string[]
  const seen = new Set<Kind>()

  const begin = (): void => {
    ran = []
    script = setScript({
      titles: true,
      answer(request) {
        seen.add(kindOf(request))
        return callsAll(request)
      },
      async tool(name) {
        ran.push(name)
        return { content: [{ type: 'text', text: 'done' }] }
      },
    })
  }
  const start = async (environment: Readonly<Record<string, string>>): Promise<void> => {
    begin()
    agents = await startAgentsKernel({ environment, titles: true })
    ada = await agents.person('ada')
    stream = await ada.stream()
    const own = { tools: ['tool__read', 'delegate', 'create_task'], approval: { '*': 'never' } }
    expect((await ada.request('PATCH', `/api/agents/${ada.agentId}`, own)).status).to.equal(200)
    const more = { handle: 'worker', name: 'Worker', tools: ['tool__read', 'tool__unsafe'], skills: [], approval: { '*': 'never' } }
    worker = String((await ada.request('POST', '/api/agents', more)).body['id'])
  }
  const stop = async (): Promise<void> => {
    stream?.close()
    await agents?.close()
  }
  beforeEach(begin)

  const offered = (request: ModelRequest | undefined): readonly string[] => (request?.tools ?? []).map(({ name }) => name).sort()
  const askedFor = (kind: Kind): readonly ModelRequest[] => script.requests.filter((request) => kindOf(request) === kind)
  const say = async (content: string, chat?: string): Promise<void> => {
    const ended = await endOf(stream, await ada.post(chat ?? (await ada.newChat()), content))
    expect(ended.name, JSON.stringify(ended.data)).to.equal('run.completed')
  }
  /** Nothing but these was offered to a model that answers, and nothing but `ran` has run. */
  const expectAnswers = (wanted: readonly (readonly string[])[], may: readonly string[]): void => {
    expect(askedFor('answer').map(offered)).to.deep.equal(wanted)
    expect([...new Set(ran)].sort()).to.deep.equal(may)
  }
  const main = ['create_task', 'delegate', 'tool__read']

  describe('of chats, titles, summaries, notes and clients', () => {
    before(() =>
      start({
        ...smallWindowEnvironment,
        ...{
          SERVICE_MODELS__SMALL__PROVIDER: 'upstream',
          SERVICE_MODELS__SMALL__MODEL: 'small-model',
          SERVICE_MODELS__SMALL__API: 'completions',
        },
        ...{
          SERVICE_MEMORY_BACKEND: 'basic',
          SERVICE_MEMORY_BASIC_COMPACTION_SECS: '1',
          SERVICE_MEMORY_BASIC_COMPACTION_TOKEN_THRESHOLD: '0',
        },
      }),
    )
    after(stop)

    it('are those of the agent alone, and a call of any other does nothing', async () => {
      await say('Use all that you have.')
      expectAnswers([main, main], ['tool__read'])
      const chat = String((await ada.request('POST', '/api/chats', { agent_id: worker })).body['id'])
      begin()
      await say('Use all that you have.', chat)
      expectAnswers(
        [
          ['tool__read', 'tool__unsafe'],
          ['tool__read', 'tool__unsafe'],
        ],
        ['tool__read', 'tool__unsafe'],
      )
    })

    it('are without what a policy forbids an agent, also while it works for another, in a conversation and in a task', async () => {
      const text = `forbid (principal == Agent::"${worker}", action == Action::"use_tool", resource == Tool::"tool__unsafe");`
      const added = await ada.request('POST', '/api/admin/policies', { text })
      expect(added.status, JSON.stringify(added.body)).to.equal(201)
      for (const order of ['Ask the worker.', 'Plan for the worker.']) {
        begin()
        await say(order)
        const requests = askedFor('answer').map(offered)
        expect(
          requests.filter((names) => names.includes('tool__unsafe')),
          order,
        ).to.deep.equal([])
        expect(requests, order).to.deep.include(['tool__read'])
        expect([...new Set(ran)], order).to.deep.equal(['tool__read'])
      }
      expect((await ada.request('DELETE', `/api/admin/policies/${String(added.body['id'])}`)).status).to.equal(204)
    })

    it('are none for titles and summaries', async () => {
      const chat = await ada.newChat()
      for (let turn = 0; turn < 12; turn += 1) await say(wordsOf('Go on.', 120), chat)
      await eventually(() => askedFor('title').length > 0, { what: () => script.requests.map(kindOf) })
      expect(askedFor('summary'), 'no summary was ordered').to.not.deep.equal([])
      expect([...askedFor('summary'), ...askedFor('title')].flatMap(offered)).to.deep.equal([])
      expect([...new Set(ran)]).to.deep.equal(['tool__read'])
    })

    it('are none for the notes of the memory', async () => {
      for (const text of ['Ada takes the train to Rome.', 'Ada takes the train to Graz.']) {
        expect((await ada.request('POST', '/api/memory', { text })).status).to.equal(201)
      }
      await eventually(() => askedFor('notes').length > 0, { what: () => script.requests.map(kindOf) })
      expect(askedFor('notes').flatMap(offered)).to.deep.equal([])
      expect(ran).to.deep.equal([])
    })

    it('are those of a client program, which runs them itself', async () => {
      const tools = [{ type: 'function', function: { name: 'tool__unsafe', parameters: { type: 'object', properties: {} } } }]
      const messages = [{ role: 'user', content: 'I am a client program.' }]
      const { status, body } = await ada.request('POST', '/v1/chat/completions', { model: 'primary', messages, tools })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(askedFor('client').map(offered)).to.deep.equal([['tool__unsafe']])
      expect(JSON.stringify(body)).to.contain('tool_calls')
      expect(ran).to.deep.equal([])
    })

    it('are one that does not run for the test of a connection', async () => {
      await confirm(ada)
      const { body } = await ada.request('POST', '/api/admin/model-groups/primary/test')
      expect(askedFor('probe'), JSON.stringify(body)).to.not.deep.equal([])
      for (const request of askedFor('probe')) expect(['', 'get_time']).to.include(offered(request).join())
      expect(ran).to.deep.equal([])
    })
  })

  describe('of the memory that learns by itself', () => {
    before(() =>
      start({ SERVICE_MEMORY_BACKEND: 'pkm', SERVICE_MEMORY_PKM_CONSOLIDATE_SECS: '1', SERVICE_MEMORY_PKM_CONSOLIDATE_IDLE_SECS: '0' }),
    )
    after(stop)

    it('look at memories and evidence, and do nothing else', async () => {
      await say('I live in Graz, and I use all that I have.')
      ran = []
      await eventually(() => askedFor('memory').length > 0, { what: () => script.requests.map(kindOf) })
      const looking = ['evidence_read', 'evidence_search', 'memory_search', 'ontology_search', 'page_search', 'playbook_search']
      for (const request of askedFor('memory')) expect(looking).to.include.members([...offered(request)])
      expect(ran).to.deep.equal([])
      expect((await ada.request('GET', '/api/tasks')).body['items']).to.deep.equal([])
    })
  })

  describe('of every place that calls a model', () => {
    it('were looked at above', async () => {
      const plugins = fileURLToPath(new URL('../../../plugins', import.meta.url))
      const folders = (await readdir(plugins)).map((name) => path.join(plugins, name, 'src'))
      const kernel = fileURLToPath(new URL('../../../kernel', import.meta.url))
      const sources = [...folders, ...['accounts', 'cli', 'core', 'services', 'settings'].map((name) => path.join(kernel, name, 'src'))]
      const files = (await Promise.all(sources.map((folder) => filesBelow(folder).catch(absent)))).flat()
      expect(files.length).to.be.greaterThan(1_000)
      const calling: string[] = []
      for (const file of files) {
        if (!file.endsWith('.ts') || file.endsWith('.test.ts') || /[/\\]test(?:-support|ing)[/\\]/.test(file)) continue
        if (/\binference\.infer\(|\blease\.value\.call\(/.test(await readFile(file, 'utf8'))) calling.push(path.relative(plugins, file))
      }
      expect(calling.sort()).to.deep.equal(Object.keys(callSites).sort())
      expect([...seen].sort()).to.deep.equal([...new Set(Object.values(callSites).flat())].sort())
    })
  })
})

/** A plugin that is planned has no sources yet. */
function absent(error: NodeJS.ErrnoException): readonly string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
