import { expect } from 'chai'
import { type AgentsKernel, endOf, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { type Writer, writerOf } from './chat-support.js'

type Json = Record<string, unknown>

const groups = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`SERVICE_MODELS__${name.toUpperCase()}__PROVIDER`, 'upstream'],
      [`SERVICE_MODELS__${name.toUpperCase()}__MODEL`, `${name}-model`],
      [`SERVICE_MODELS__${name.toUpperCase()}__API`, 'completions'],
    ]),
  )

describe('the model of a chat and of a message', () => {
  /** What the next start of the service has, which reads it again. */
  const environment: Record<string, string> = groups('quick', 'deep')
  let agents: AgentsKernel
  let ada: Writer

  before(async () => {
    setScript()
    agents = await startAgentsKernel({ environment })
    ada = await writerOf(agents, 'ada')
  })
  after(async () => {
    ada?.stream.close()
    await agents?.close()
  })

  const restart = async (): Promise<void> => {
    ada.stream.close()
    await agents.restart()
    ada = await writerOf(agents, 'ada')
  }
  /** The run of an answer, after its end. */
  const ended = async ({ status, body }: { readonly status: number; readonly body: Json }): Promise<Json> => {
    if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`)
    const { id } = body['run'] as Json
    await endOf(ada.stream, String(id))
    return (await ada.person.request('GET', `/api/runs/${String(id)}`)).body
  }
  const post = (chat: string, body: Json) => ada.person.request('POST', `/api/chats/${chat}/messages`, { content: 'Hi', ...body })
  const regenerate = (chat: string, body: Json = {}) => ada.person.request('POST', `/api/chats/${chat}/regenerate`, body)
  const usedIn = (run: Json) => [run['status'], run['model_group'], run['model_source']]

  it('is the message’s, which becomes the chat’s, else the agent’s, and the run states whose it was', async () => {
    const chat = await ada.person.newChat()
    const script = setScript()
    expect(usedIn(await ended(await post(chat, {})))).to.deep.equal(['completed', 'primary', 'agent'])
    const { body } = await ada.change(chat, { model: 'quick' })
    expect(body['model']).to.equal('quick')
    expect(usedIn(await ended(await post(chat, {})))).to.deep.equal(['completed', 'quick', 'chat'])
    expect(usedIn(await ended(await post(chat, { model: 'deep' })))).to.deep.equal(['completed', 'deep', 'message'])
    expect(usedIn(await ended(await post(chat, {})))).to.deep.equal(['completed', 'deep', 'chat'])
    expect(usedIn(await ended(await post(chat, { model: null })))).to.deep.equal(['completed', 'primary', 'agent'])
    const models = ['recorded-model', 'quick-model', 'deep-model', 'deep-model', 'recorded-model']
    expect(script.requests.map(({ model }) => model)).to.deep.equal(models)
    const messages = (await ada.person.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly Json[]
    expect(messages.map(({ model }) => model)).to.deep.equal([...Array(4).fill(undefined), 'deep', ...Array(5).fill(undefined)])
    const made = await ada.person.request('POST', '/api/chats', { model: 'deep' })
    expect([made.status, made.body['model']]).to.deep.equal([201, 'deep'])
    expect(usedIn(await ended(await post(String(made.body['id']), {})))).to.deep.equal(['completed', 'deep', 'chat'])
  })

  it('is refused with the known names if there is no such group', async () => {
    const chat = await ada.person.newChat()
    const answers = [
      await post(chat, { model: 'gone' }),
      await ada.change(chat, { model: 'gone' }),
      await regenerate(chat, { model: 'gone' }),
      await ada.person.request('POST', '/api/chats', { model: 'gone' }),
    ]
    for (const { status, body } of answers) {
      const [problem] = body['errors'] as readonly Json[]
      expect([status, problem?.['path']]).to.deep.equal([422, '/model'])
      expect(String(problem?.['message']))
        .to.match(/primary/)
        .and.match(/quick/)
        .and.match(/deep/)
    }
    expect((await ada.list(chat)).length).to.equal(0)
    expect((await ada.person.request('GET', `/api/chats/${chat}`)).body['model']).to.equal(null)
  })

  it('answers again when an answer is regenerated, also after a restart, unless another one is named', async () => {
    const chat = await ada.person.newChat()
    setScript()
    await ended(await post(chat, { model: 'deep' }))
    expect(usedIn(await ended(await regenerate(chat)))).to.deep.equal(['completed', 'deep', 'message'])
    expect(usedIn(await ended(await regenerate(chat, { model: 'quick' })))).to.deep.equal(['completed', 'quick', 'message'])
    await ada.change(chat, { model: 'quick' })
    await restart()
    expect((await ada.person.request('GET', `/api/chats/${chat}`)).body['model']).to.equal('quick')
    expect(usedIn(await ended(await regenerate(chat)))).to.deep.equal(['completed', 'deep', 'message'])
    const [first] = await ada.list(chat)
    expect(usedIn(await ended(await post(chat, { replaces: first?.id })))).to.deep.equal(['completed', 'quick', 'chat'])
  })

  it('stays that of a run in progress: a message with another one is refused', async () => {
    const chat = await ada.person.newChat()
    const gate = createGate()
    setScript({
      async *answer() {
        await gate.opened
        yield* says('Yes.')
      },
    })
    const first = await post(chat, { model: 'quick' })
    const refused = await post(chat, { model: 'deep' })
    expect([refused.status, refused.body['code']]).to.deep.equal([409, 'run_in_progress'])
    expect((await post(chat, { model: 'quick' })).status).to.equal(202)
    expect((await post(chat, {})).status).to.equal(202)
    gate.open()
    expect(usedIn(await ended(first))).to.deep.equal(['completed', 'quick', 'message'])
  })

  it('is exported and imported with the chat and its messages', async () => {
    const chat = await ada.person.newChat()
    setScript()
    await ended(await post(chat, { model: 'deep' }))
    await ada.change(chat, { model: 'quick' })
    const file = (await ada.person.request('GET', `/api/chats/${chat}/export`)).body
    const copy = String((await ada.person.request('POST', '/api/chats/import', file)).body['id'])
    expect(usedIn(await ended(await regenerate(copy)))).to.deep.equal(['completed', 'deep', 'message'])
    expect(usedIn(await ended(await post(copy, {})))).to.deep.equal(['completed', 'quick', 'chat'])
    const known = JSON.stringify(file).replaceAll('"deep"', '"nowhere"').replaceAll('"quick"', '"nowhere"')
    const foreign = String((await ada.person.request('POST', '/api/chats/import', JSON.parse(known))).body['id'])
    expect(usedIn(await ended(await regenerate(foreign)))).to.deep.equal(['completed', 'primary', 'agent'])
  })

  it('fails the run by name if the group is gone after a restart, and works again with another', async () => {
    const [ofChat, ofMessage] = [await ada.person.newChat(), await ada.person.newChat()]
    setScript()
    await ada.change(ofChat, { model: 'deep' })
    await ended(await post(ofMessage, { model: 'deep' }))
    for (const name of Object.keys(groups('deep'))) delete environment[name]
    const script = setScript()
    await restart()
    for (const run of [await ended(await post(ofChat, {})), await ended(await regenerate(ofMessage))]) {
      expect(usedIn(run).slice(0, 2)).to.deep.equal(['failed', 'deep'])
      const { code, message } = run['failure'] as Json
      expect(code).to.equal('model_group_unknown')
      expect(message).to.include('“deep”').and.include('primary').and.include('quick')
    }
    expect(script.requests).to.deep.equal([])
    expect((await ada.list(ofChat)).map(({ role, status }) => [role, status])).to.deep.include(['user', 'complete'])
    await ada.change(ofChat, { model: 'quick' })
    expect(usedIn(await ended(await post(ofChat, {})))).to.deep.equal(['completed', 'quick', 'chat'])
    expect(usedIn(await ended(await regenerate(ofMessage, { model: 'quick' })))).to.deep.equal(['completed', 'quick', 'message'])
  })
})
