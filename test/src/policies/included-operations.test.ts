import { expect } from 'chai'
import { endOf } from '../agents/support/agents-kernel.js'
import { personWithId, type RunsKernel, type RunsPerson, startRunsKernel } from '../agents/support/runs-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'

describe('a policy that forbids an operation', function () {
  this.timeout(60_000)
  let agents: RunsKernel
  let ada: RunsPerson
  let ben: RunsPerson
  let chatId: string
  let questionId: string
  let keys = 0

  before(async () => {
    setScript()
    agents = await startRunsKernel()
    ada = await personWithId(agents, 'ada')
    ben = await personWithId(agents, 'ben')
    expect((await ben.request('POST', '/api/agents', { handle: 'talker', name: 'Talker' })).status).to.equal(201)
    chatId = await ben.newChat()
    const events = await ben.stream()
    await endOf(events, await ben.post(chatId, 'Hello'))
    events.close()
    questionId = (await ben.messages(chatId))[0]?.id ?? ''
  })
  after(() => agents?.close())

  /**
   * Runs the work while a policy forbids ben the operation, and expects that nothing of ben's has
   * become more meanwhile.
   */
  const whileForbidden = async (operation: string, work: () => Promise<void>): Promise<void> => {
    const text = `forbid (principal == User::"${ben.id}", action == Action::"call", resource == Route::"${operation}");`
    const stored = await ada.request('POST', '/api/admin/policies', { text })
    expect(stored.status, JSON.stringify(stored.body)).to.equal(201)
    const script = setScript({ answer: () => says('No.') })
    const before = await holdings()
    try {
      await work()
      expect(await holdings()).to.deep.equal(before)
      expect(script.requests, 'model calls').to.deep.equal([])
    } finally {
      await ada.request('DELETE', `/api/admin/policies/${String(stored.body['id'])}`)
    }
  }
  const holdings = async () => ({
    chats: ((await ben.request('GET', '/api/chats?limit=200')).body['items'] as readonly { readonly id: string }[]).map(({ id }) => id),
    messages: (await ben.request('GET', `/api/chats/${chatId}`)).body['message_count'],
    branches: ((await ben.request('GET', `/api/chats/${chatId}/branches`)).body['items'] as readonly unknown[]).length,
    runs: (await agents.runs.list({ userId: ben.id, limit: 200 })).items.length,
  })
  const expectForbidden = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { status, body: answer } = await ben.request(method, path, body)
    expect([status, answer['code']], `${method} ${path} ${JSON.stringify(body)}`).to.deep.equal([403, 'forbidden'])
  }
  const start = (more: object) => {
    keys += 1
    return agents.runs.start({ userId: ben.id, key: `key ${keys}`, message: 'Hello', ...more }).then(
      () => 'started',
      (error: { readonly code?: string }) => error.code,
    )
  }
  const conversations = (): readonly (readonly [string, unknown])[] =>
    [false, true].flatMap((stream) => [
      ['/v1/chat/completions', { model: 'agent/talker', messages: [{ role: 'user', content: 'Hello' }], stream }],
      ['/v1/responses', { model: 'agent/talker', input: 'Hello', stream }],
    ])

  it('createMessage applies to every way of writing a message', () =>
    whileForbidden('createMessage', async () => {
      await expectForbidden('POST', `/api/chats/${chatId}/messages`, { content: 'Hello' })
      await expectForbidden('POST', `/api/chats/${chatId}/messages`, { content: 'Other', replaces: questionId })
      await expectForbidden('POST', `/api/chats/${chatId}/regenerate`, {})
      await expectForbidden('POST', `/api/chats/${chatId}/regenerate`, { message_id: questionId })
      for (const [path, body] of conversations()) await expectForbidden('POST', path, body)
      expect(await start({ chat: { id: chatId } })).to.equal('forbidden')
      expect(await start({ chat: { hidden: true } })).to.equal('forbidden')
      expect(await start({})).to.equal('forbidden')
    }))

  it('createChat applies to every way of starting a chat', () =>
    whileForbidden('createChat', async () => {
      await expectForbidden('POST', '/api/chats', {})
      await expectForbidden('POST', '/api/chats/import', {})
      await expectForbidden('POST', '/api/chats/imports', { path: 'files/export.zip' })
      for (const [path, body] of conversations()) await expectForbidden('POST', path, body)
      expect(await start({})).to.equal('forbidden')
      expect(await start({ chat: { title: 'A chat' } })).to.equal('forbidden')
    }))

  it('listMessages applies to exports and searches', () =>
    whileForbidden('listMessages', async () => {
      const { status } = await ben.request('GET', `/api/chats/${chatId}/export`)
      expect(status).to.equal(403)
      await expectForbidden('GET', '/api/chats/search?q=Hello')
    }))

  it('updateAgent applies to restoring an earlier version', () =>
    whileForbidden('updateAgent', async () => {
      await expectForbidden('POST', `/api/agents/${ben.agentId}/versions/1/restore`, {})
    }))

  it('listAgents applies to the list of models', () =>
    whileForbidden('listAgents', async () => {
      const { body } = await ben.request('GET', '/v1/models')
      const ids = (body['data'] as readonly { readonly id: string }[]).map(({ id }) => id)
      expect(ids).to.include('primary')
      expect(ids.filter((id) => id.startsWith('agent/'))).to.deep.equal([])
    }))

  it('answerApproval applies to plugins that answer on behalf of a person', () =>
    whileForbidden('answerApproval', async () => {
      const answered = agents.runs.answer({ userId: ben.id, runId: 'r', callId: 'c', decision: 'approve' })
      expect(await answered.then(String, (error: { readonly code?: string }) => error.code)).to.equal('forbidden')
    }))

  it('forbids nothing once it is deleted', async () => {
    setScript()
    const events = await ben.stream()
    await endOf(events, await ben.post(chatId, 'Again'))
    events.close()
    expect((await ben.request('POST', `/api/chats/${chatId}/regenerate`, {})).status).to.equal(202)
    for (const [path, body] of conversations().filter(([, sent]) => !(sent as { readonly stream: boolean }).stream))
      expect((await ben.request('POST', path, body)).status).to.equal(200)
  })
})
