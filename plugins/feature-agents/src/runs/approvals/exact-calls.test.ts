import type { JsonObject } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'
import { toolNamed } from '../../test-support/fake-tools.js'
import { createCallScopes } from './call-scopes.js'

const call = (sent: JsonObject) => ({ type: 'tool_call', call_id: 'call-1', name: 'greet', arguments: sent }) as const
const place = { run: { id: 'run-1', chat_id: 'chat-1', user_id: 'user-1' }, agent: { id: 'agent-1' } }
/** What is offered. `secret`: a text that is masked. */
async function offered(change: Partial<Tool>, secret = '') {
  const isFree = async (_: unknown, __: unknown, texts: readonly string[]) => secret === '' || !texts.some((text) => text.includes(secret))
  const scopes = await createCallScopes({ words: { isFree } }).of(toolNamed('greet', change), call({}), place, new AbortController().signal)
  return { labels: scopes.map(({ label }) => label), scopes }
}

const scopes = () => [{ key: 'ada', label: 'Greet Ada' }]

describe('exactly a call', () => {
  it('is offered first, in the words of the tool', async () => {
    expect((await offered({})).labels).to.deep.equal(['Exactly this call', 'Every call of this tool, whatever its arguments'])
    expect((await offered({ scopes })).labels).to.deep.equal(['Exactly this call', 'Greet Ada'])
    expect((await offered({ scopes, exactly: () => 'Exactly this\u202e greeting' })).labels).to.deep.equal([
      'Exactly this<U+202E> greeting',
      'Greet Ada',
    ])
    const [plain, worded] = [await offered({ scopes }), await offered({ scopes, exactly: () => 'Exactly this greeting' })]
    expect(worded.scopes[0]?.key, 'the words are no part of the key').to.equal(plain.scopes[0]?.key)
  })

  it('is not offered where the tool says that its arguments do not tell what it does', async () => {
    expect((await offered({ scopes, exactly: () => false })).labels).to.deep.equal(['Greet Ada'])
    expect(await offered({ scopes: () => [], exactly: () => false })).to.deep.equal({ labels: [], scopes: [] })
  })

  it('has the ordinary words where those of the tool hold a secret', async () => {
    expect((await offered({ scopes, exactly: () => 'Exactly this hunter2' }, 'hunter2')).labels).to.deep.equal([
      'Exactly this call',
      'Greet Ada',
    ])
  })
})
