import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { expectProblem, notFoundCode } from './support/expect-problem.js'
import { type HostileTarget, startHostileTarget } from './support/hostile-target.js'
import { fillPath, type Operation, readOperations } from './support/operations.js'

/** A body that the owner's own request would succeed with. */
const bodies: Readonly<Record<string, string>> = {
  updateAgent: '{"name":"Taken over"}',
  updateChat: '{"title":"Taken over"}',
  createMessage: '{"content":"Taken over"}',
  regenerateAnswer: '{}',
  answerApproval: '{"decision":"deny"}',
  updateSpace: '{"name":"Taken over"}',
  updateNotification: '{"read":true}',
  putSkillFile: 'Taken over',
  updateTask: '{"title":"Taken over"}',
  appendToUpload: 'x',
  changePersonalCredential: '{"title":"Taken over"}',
  replacePersonalCredentialFields: '{"fields":[{"name":"token","value":"Taken over"}]}',
  changeCredentialGrant: '{"once":true}',
  changeVault: '{"title":"Taken over"}',
  changeChannelConnection: '{"title":"Taken over"}',
  addChannelSender: '{"sender_id":"eve","role":"owner"}',
  approveChannelPairing: '{"role":"owner"}',
  updateMemory: '{"text":"Taken over"}',
  setChatMemory: '{"remember":false}',
  updatePrompt: '{"title":"Taken over"}',
}

describe("another user's ids", () => {
  let target: HostileTarget
  let eve: Api
  let operations: readonly Operation[]
  let untouched: unknown

  before(async () => {
    target = await startHostileTarget()
    eve = await signUp(target.url, 'eve')
    // Those of accounts are limited by address; the kernel's own tests hold them to the same.
    operations = (await readOperations(target.url)).filter(
      ({ path, auth, webSocket }) => path.includes('{') && auth === 'user' && !webSocket && !path.startsWith('/api/auth/'),
    )
    untouched = await target.state()
  })
  after(() => target?.close())
  afterEach(async () => {
    expect(await target.state()).to.deep.equal(untouched)
  })

  const nobody = '0199a3f0-6f1c-7c3e-9d0a-4a3c1f0f8b52'
  const nothing = { agent_id: nobody, chat_id: nobody, run_id: nobody, space_id: nobody }
  const ask = async (operation: Operation, things: Parameters<typeof fillPath>[1], token: string) => {
    const body = bodies[operation.id]
    if (operation.hasBody && body === undefined) throw new Error(`${operation.id} takes a body; give this test one that fits.`)
    const answer = await target.send(fillPath(operation.path, things), {
      method: operation.method,
      token,
      ...(body === undefined ? {} : { body }),
    })
    const { request_id, ...said } = expectProblem(answer, `${operation.method} ${operation.path}`)
    expect(request_id).to.not.equal('')
    return { ...said, allow: answer.headers['allow'], size: answer.headers['content-length'] }
  }

  it('are answered on every route exactly like unknown ids, also for an admin', async () => {
    expect(operations.map(({ id }) => id)).to.include.members([
      'getAgent',
      'updateAgent',
      'deleteAgent',
      'getChat',
      'updateChat',
      'deleteChat',
      'listMessages',
      'createMessage',
      'getRun',
      'cancelRun',
    ])
    for (const operation of operations) {
      for (const { token } of [eve, target.admin]) {
        const absent = await ask(operation, nothing, token)
        expect(absent, operation.id).to.include({ status: 404, code: notFoundCode(operation.path) })
        expect(await ask(operation, { ...target.own }, token), operation.id).to.deep.equal(absent)
      }
    }
  })

  it('are answered like ids of another kind, and like odd ones', async () => {
    const { agent_id, chat_id, run_id } = target.own
    for (const operation of operations) {
      const absent = await ask(operation, nothing, target.ada.token)
      for (const things of [
        { agent_id: run_id, chat_id: agent_id, run_id: chat_id, space_id: chat_id },
        { agent_id: '%20', chat_id: '__proto__', run_id: 'constructor', space_id: 'toString' },
        { agent_id: "'%20OR%201=1--", chat_id: '%F0%9F%98%80', run_id: agent_id.toUpperCase(), space_id: '%20' },
      ]) {
        expect(await ask(operation, things, target.ada.token), operation.id).to.deep.equal(absent)
      }
    }
    const long = await target.send(`/api/chats/${'x'.repeat(101)}`, { token: target.ada.token })
    expect([long.status, expectProblem(long, 'a long id').code]).to.deep.equal([422, 'invalid_request'])
  })

  it('have no effect in a body, a query or a cursor', async () => {
    const { agent_id, chat_id } = target.own
    const own = String((await eve.request('POST', '/api/chats', {})).body['id'])
    for (const [method, path] of [
      ['POST', '/api/chats'],
      ['PATCH', `/api/chats/${own}`],
    ] as const) {
      const answers = await Promise.all([agent_id, nobody].map((id) => eve.request(method, path, { agent_id: id })))
      const said = answers.map(({ status, body: { request_id: _, ...rest } }) => ({ http: status, ...rest }))
      expect(said[0], path).to.include({ http: 404, code: 'not_found' })
      expect(said[1], path).to.deep.equal(said[0])
    }
    await target.ada.request('POST', '/api/agents', { name: 'Second' })
    const made = (await target.ada.request('GET', '/api/agents?limit=1')).body
    const cursor = encodeURIComponent(String(made['next_cursor']))
    const page = await eve.request('GET', `/api/agents?cursor=${cursor}`)
    const theirs = (page.body['items'] ?? []) as readonly { readonly id: string }[]
    const adas = (await target.ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string; readonly name: string }[]
    expect(theirs.filter(({ id }) => adas.some((agent) => agent.id === id))).to.deep.equal([])
    await target.ada.request('DELETE', `/api/agents/${adas.find(({ name }) => name === 'Second')?.id ?? ''}`)

    const stream = await eve.stream({ chatId: chat_id })
    const everything = await eve.stream()
    await target.ada.request('PATCH', `/api/chats/${chat_id}`, { title: 'Mine' })
    await eve.request('PATCH', `/api/chats/${own}`, { title: 'Hers' })
    await everything.until((event) => event.name === 'chat.updated' && event.data['chat_id'] === own)
    expect([...stream.events, ...everything.events].filter((event) => event.data['chat_id'] === chat_id)).to.deep.equal([])
    stream.close()
    everything.close()
    untouched = await target.state()
  })
})
