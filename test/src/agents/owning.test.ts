import { randomUUID } from 'node:crypto'
import { contributionsToken } from '@agent-service/kernel/testing/tokens'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from './support/agents-kernel.js'
import { createGate } from './support/client-view.js'
import { says, setScript } from './support/scripted-plugin.js'

describe('ownership', () => {
  let agents: AgentsKernel
  let ada: Person
  let bob: Person

  before(async () => {
    setScript()
    agents = await startAgentsKernel({ environment: { SERVICE_AUTH_ALLOW_REGISTRATION: 'true' } })
    ada = await agents.person('ada')
    bob = await agents.person('bob')
  })
  after(() => agents?.close())

  it("treats another user's ids as not found", async () => {
    const stream = await ada.stream()
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Private')
    await endOf(stream, run)
    stream.close()
    const attempts: readonly (readonly [string, string, unknown?])[] = [
      ['GET', `/api/agents/${ada.agentId}`],
      ['PATCH', `/api/agents/${ada.agentId}`, { name: 'Mine' }],
      ['DELETE', `/api/agents/${ada.agentId}`],
      ['GET', `/api/chats/${chat}`],
      ['PATCH', `/api/chats/${chat}`, { title: 'Mine' }],
      ['DELETE', `/api/chats/${chat}`],
      ['GET', `/api/chats/${chat}/messages`],
      ['POST', `/api/chats/${chat}/messages`, { content: 'Hi' }],
      ['POST', '/api/chats', { agent_id: ada.agentId }],
      ['GET', `/api/runs/${run}`],
      ['POST', `/api/runs/${run}/cancel`],
    ]
    for (const [method, path, body] of attempts) {
      const seen = await bob.request(method, path, body)
      expect([seen.status, seen.body['code']], `${method} ${path}`).to.deep.equal([404, 'not_found'])
      const absent = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, randomUUID())
      if (absent !== path) expect((await bob.request(method, absent, body)).body['detail'], path).to.equal(seen.body['detail'])
    }
    expect((await bob.request('GET', '/api/chats')).body['items']).to.deep.equal([])
    expect((await ada.request('GET', `/api/chats/${chat}`)).body).to.include({ title: 'Private' })
  })

  it('gives a new user the shared agents once, however many requests come first', async () => {
    const cleo = await signUp(agents.kernel.url, 'cleo')
    const lists = await Promise.all(Array.from({ length: 20 }, () => cleo.request('GET', '/api/agents')))
    const first = lists[0]?.body['items'] as readonly { readonly id: string; readonly handle: string }[]
    expect(first.map(({ handle }) => handle)).to.include('assistant')
    for (const list of lists) expect(list.body['items']).to.deep.equal(first)
    // What was deleted does not come back.
    for (const { id } of first) expect((await cleo.request('DELETE', `/api/agents/${id}`)).status).to.equal(204)
    expect((await cleo.request('GET', '/api/agents')).body['items']).to.deep.equal([])
    expect((await cleo.request('POST', '/api/chats', {})).body['code']).to.equal('no_agent')
  })

  it('returns the same run for a repeated post', async () => {
    const chat = await bob.newChat()
    const post = (content: string) =>
      fetch(`${agents.kernel.url}/api/chats/${chat}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/json', 'idempotency-key': 'key-1' },
        body: JSON.stringify({ content }),
      })
    const [one, two] = [await (await post('Hi')).json(), await (await post('Hi')).json()]
    expect(two).to.deep.equal(one)
    expect((await post('Other')).status).to.equal(422)
    expect((await bob.messages(chat)).filter(({ role }) => role === 'user')).to.have.length(1)
  })

  it('allows a handle for only one agent, with a readable error', async () => {
    const made = await bob.request('POST', '/api/agents', { handle: 'writer', name: 'Writer' })
    expect(made.status).to.equal(201)
    expect((await bob.request('POST', '/api/agents', { handle: 'writer', name: 'Other' })).body['code']).to.equal('agent_handle_taken')
    expect((await ada.request('POST', '/api/agents', { handle: 'writer', name: 'Writer' })).status).to.equal(201)
    for (const body of [
      { handle: 'A', name: 'x' },
      { handle: 'ok' },
      { handle: 'ok', name: 'x', surprise: 1 },
      { handle: 'ok', name: 'x', tools: 'all' },
    ]) {
      expect((await bob.request('POST', '/api/agents', body)).status, JSON.stringify(body)).to.equal(422)
    }
  })

  it('exports all data of one user, and erases it during a run', async () => {
    const gate = createGate()
    let stopped = false
    setScript({
      async *answer(_, signal) {
        signal.addEventListener('abort', () => {
          stopped = true
        })
        yield { type: 'text.delta', part: 0, text: 'So far' }
        await Promise.race([
          gate.opened,
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
        ])
        yield* says('So far and on')
      },
    })
    const dora = await agents.person('dora')
    const stream = await dora.stream()
    const chat = await dora.newChat()
    const run = await dora.post(chat, 'Remember the word xylophone')
    await stream.until((event) => event.name === 'text.delta')
    stream.close()

    const contributions = agents.kernel.container.resolve(contributionsToken)
    const data = contributions.list(userData).find(({ key }) => key === 'agents')?.value ?? expect.fail('no user.data')
    const { signal } = new AbortController()
    const exported: string[] = []
    for await (const { path, json } of data.export(dora.userId, { signal })) exported.push(`${path} ${JSON.stringify(json)}`)
    for (const kind of ['chats', 'runs', 'run_steps', 'messages', 'agents']) {
      expect(
        exported.some((line) => line.startsWith(`${kind}/`)),
        kind,
      ).to.equal(true)
    }
    expect(exported.join('\n')).to.include('xylophone').and.to.not.include(ada.userId)
    expect((await data.size(dora.userId, { signal })).records).to.equal(exported.length)

    const before = await data.size(ada.userId, { signal })
    await data.erase(dora.userId, { signal })
    expect(stopped, 'the model call was ended').to.equal(true)
    gate.open()
    await data.erase(dora.userId, { signal })
    expect(await data.size(dora.userId, { signal })).to.deep.equal({ records: 0, bytes: 0 })
    expect((await dora.request('GET', `/api/runs/${run}`)).status).to.equal(404)
    expect(await data.size(ada.userId, { signal })).to.deep.equal(before)
  })
})
