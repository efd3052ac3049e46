import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { type Script, says, setScript } from '../agents/support/scripted-plugin.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

const textOf = ({ messages }: ModelRequest, role: 'system' | 'user'): string =>
  messages
    .filter((message) => message.role === role)
    .flatMap(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')))
    .join('\n')

async function* asksForTheTime(): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'tool_call.started', part: 0, provider_call_id: 'vendor-0', name: 'get_time' }
  yield { type: 'tool_call.delta', part: 0, arguments_text: '{}' }
  const content = [{ type: 'tool_call' as const, call_id: 'vendor-0', name: 'get_time', arguments: {} }]
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}

const claim = { text: 'Lives in Graz.', kind: 'fact', subject: 'the person', source: 'person', message: 0, quote: 'I live in Graz' }
const planted = { ...claim, text: 'Works for Evil.', quote: 'Evil', message: 1, source: 'agent' }
const durable = { claim: 0, durable: true, class: 'person', property: 'lives_in', value: 'Graz' }

/** Looks at the clock once in each chat, and takes notes when it is asked to. */
async function* answer(request: ModelRequest): AsyncGenerator<ModelEvent> {
  const system = textOf(request, 'system')
  if (system.includes('You are a note taker')) yield* says(JSON.stringify({ claims: [claim, planted], playbooks: [] }))
  else if (system.includes('You are a librarian')) yield* says(JSON.stringify({ claims: [durable], proposals: [] }))
  else if (request.tools.some(({ name }) => name === 'get_time') && request.messages.at(-1)?.role === 'user') yield* asksForTheTime()
  else yield* says('Noted.')
}

describe('the memory back end pkm in chats', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let script: Script
  let ada: Person

  before(async () => {
    script = setScript({ answer })
    const seconds = { SERVICE_MEMORY_PKM_CONSOLIDATE_SECS: '1', SERVICE_MEMORY_PKM_CONSOLIDATE_IDLE_SECS: '0' }
    agents = await startAgentsKernel({ environment: { SERVICE_MEMORY_BACKEND: 'pkm', ...seconds } })
    ada = await agents.person('ada')
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools: ['get_time', 'playbook_read'], approval: { '*': 'never' } })
  })
  after(() => agents?.close())

  const known = async (query = ''): Promise<readonly JsonObject[]> =>
    (await ada.request('GET', `/api/memory${query}`)).body['items'] as readonly JsonObject[]

  it('learns what a person says, and the next chat knows it', async () => {
    const stream = await ada.stream()
    const chatId = await ada.newChat()
    expect((await endOf(stream, await ada.post(chatId, 'Hello! I live in Graz.'))).name).to.equal('run.completed')
    await eventually(async () => (await known()).length >= 3, { what: async () => (await ada.request('GET', '/api/memory/passes')).body })
    const items = await known()
    expect(items.map(({ kind }) => kind).sort()).to.deep.equal(['note', 'statement', 'summary'])
    expect(items.map(({ text }) => text)).to.have.members(['Lives in Graz.', 'Lives in Graz.', '- Lives in Graz.'])
    const messages = await ada.messages(chatId)
    const evidence = items.find(({ kind }) => kind === 'statement')?.['evidence']
    expect(evidence).to.deep.equal([{ chat_id: chatId, message_id: messages[0]?.['id'] }])

    // What the note taker has read of the chat: who wrote what, without the results of tools.
    const read = script.requests.find((request) => textOf(request, 'system').includes('You are a note taker'))
    const material = read ? textOf(read, 'user') : ''
    expect(material).to.match(/\[0\] person, [^\n]+Z:\nHello! I live in Graz\.\n\n\[1\] agent, /)
    expect(material).to.match(/\[2\] results of get_time: \d+ characters\n\n\[3\] agent, [^\n]+Z:\nNoted\./)

    // Prompts are made anew once the whole sweep has ended, which may be a moment after its passes.
    const asked = await eventually(async () => {
      const from = script.requests.length
      await endOf(stream, await ada.post(await ada.newChat(), 'Where do I live?'))
      const request = script.requests.slice(from).find((each) => textOf(each, 'user').includes('Where do I live?'))
      expect(request && textOf(request, 'system')).to.contain('- Lives in Graz.')
      return request
    })
    stream.close()
    expect(asked.tools.map(({ name }) => name)).to.include('playbook_read')
    const passes = (await ada.request('GET', '/api/memory/passes')).body['items'] as readonly JsonObject[]
    expect(passes.map(({ state, chat_id: of }) => [state, of])).to.deep.include(['done', chatId])
  })
})
