import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'

describe('Idempotency-Key over the whole service', () => {
  let kernel: TestKernel
  let authorization: string
  let chatId: string
  before(async () => {
    kernel = await createTestKernel()
    const account = await post('/api/auth/register', { username: 'ada', password: 'a quiet long sentence' })
    authorization = `Bearer ${(account.json as { access_token: string }).access_token}`
    chatId = ((await post('/api/chats', {})).json as { id: string }).id
  })
  after(() => kernel.stop())

  const post = async (path: string, body: unknown, key?: string) => {
    const answer = await fetch(`${kernel.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(authorization ? { authorization } : {}),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    })
    return { status: answer.status, json: (await answer.json()) as unknown, replayed: answer.headers.get('idempotency-replayed') }
  }

  it('posts a message once, however often and closely it is sent', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => post(`/api/chats/${chatId}/messages`, { content: 'hello' }, 'message-1')))
    expect(answers.map(({ status }) => status)).to.deep.equal([202, 202, 202])
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).to.equal(1)
    expect(answers.filter(({ replayed }) => replayed === 'true')).to.have.length(2)
    const list = await fetch(`${kernel.url}/api/chats/${chatId}/messages`, { headers: { authorization } })
    const { items } = (await list.json()) as { items: readonly { readonly role: string }[] }
    expect(items.filter(({ role }) => role === 'user')).to.have.length(1)
  })

  it('refuses the key with another message', async () => {
    const other = await post(`/api/chats/${chatId}/messages`, { content: 'goodbye' }, 'message-1')
    expect([other.status, (other.json as { code: string }).code]).to.deep.equal([422, 'idempotency_key_reused'])
  })
})
