import { ephemeralTokensToken } from '@agent-service/kernel/testing/tokens'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'

/** A picture in a message. */
const onePixel = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const messages = [{ role: 'user', content: 'Hello' }]
const bodies = (model: string): readonly (readonly [string, unknown])[] =>
  [false, true].flatMap((stream) => [
    ['/v1/chat/completions', { model, messages, stream }],
    ['/v1/responses', { model, input: 'Hello', stream }],
  ])

describe('the OpenAI protocols and the scopes of a token', () => {
  let agents: AgentsKernel
  let ada: Person
  const tokens = new Map<string, string>()

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    expect((await ada.request('POST', '/api/agents', { handle: 'talker', name: 'Talker' })).status).to.equal(201)
    for (const scopes of ['inference', 'read', 'write', 'read write', 'read write inference'])
      tokens.set(scopes, String((await ada.request('POST', '/api/auth/tokens', { name: scopes, scopes: scopes.split(' ') })).body['token']))
    const issued = await agents.kernel.container
      .resolve(ephemeralTokensToken)
      .issue({ userId: ada.userId, actor: { kind: 'agent', id: ada.agentId, purpose: 'sandbox' } })
    tokens.set('actor', issued.token)
  })
  after(() => agents?.close())

  const send = async (token: string | undefined, path: string, body?: unknown): Promise<string> => {
    const answer = await fetch(`${agents.kernel.url}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return answer.ok ? String(answer.status) : `${answer.status} ${(JSON.parse(text) as { readonly code: string }).code}`
  }
  const chats = async (): Promise<number> => ((await ada.request('GET', '/api/chats')).body['items'] as readonly unknown[]).length
  const expected = (granted: readonly string[]): readonly (readonly [string, string])[] =>
    [...tokens].map(([name]) => [name, granted.includes(name) ? '200' : name === 'actor' ? '403 people_only' : '403 forbidden'])

  it('require read and write for an agent, and refuse inference alone', async () => {
    for (const [path, body] of bodies('agent/talker')) {
      const before = await chats()
      const answers: (readonly [string, string])[] = []
      for (const [name, token] of tokens) answers.push([name, await send(token, path, body)])
      expect(answers, path).to.deep.equal(expected(['read write', 'read write inference']))
      expect((await chats()) - before, 'chats that began').to.be.at.most(2)
    }
  })

  it('require inference for a model group, and refuse other scopes', async () => {
    for (const [path, body] of bodies('primary')) {
      const answers: (readonly [string, string])[] = []
      for (const [name, token] of tokens) answers.push([name, await send(token, path, body)])
      const granted = ['inference', 'read write inference', 'actor']
      expect(answers, path).to.deep.equal(expected(granted))
    }
  })

  it('let no vendor fetch for a program what it names by its address', async () => {
    const picture = (url: string) => ({
      model: 'primary',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    })
    const address = 'https://pictures.example/?secret=1'
    expect(await send(tokens.get('actor'), '/v1/chat/completions', picture(address))).to.equal('403 people_only')
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url: address }] }]
    expect(await send(tokens.get('actor'), '/v1/responses', { model: 'primary', input })).to.equal('403 people_only')
    const inResult = [
      { role: 'user', content: 'See' },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_image', image_url: address }] },
    ]
    const look = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }]
    expect(await send(tokens.get('actor'), '/v1/responses', { model: 'primary', input: inResult, tools: look })).to.equal('403 people_only')
    expect(await send(tokens.get('inference'), '/v1/chat/completions', picture(address))).to.equal('200')
    expect(await send(tokens.get('actor'), '/v1/chat/completions', picture(onePixel))).to.equal('200')
  })

  it('list what the token may use', async () => {
    const listed = async (name: string): Promise<readonly string[]> => {
      const answer = await fetch(`${agents.kernel.url}/v1/models`, { headers: { authorization: `Bearer ${tokens.get(name)}` } })
      const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] }
      return data.map(({ id }) => id.replace(/\/.*/, '')).filter((id, index, all) => all.indexOf(id) === index)
    }
    expect(await listed('inference')).to.deep.equal(['primary'])
    expect(await listed('actor')).to.deep.equal(['primary'])
    expect(await listed('read write')).to.deep.equal(['agent'])
    expect(await listed('read write inference')).to.deep.equal(['primary', 'agent'])
    expect(await listed('write')).to.deep.equal([])
    expect(await send(tokens.get('read'), '/v1/models')).to.equal('403 forbidden')
  })
})
