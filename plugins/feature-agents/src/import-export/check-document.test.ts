import { expect } from 'chai'
import type { ChatDocument, MessageInDocument } from './chat-document.js'
import { checkDocument } from './check-document.js'
import { importedContent } from './imported-content.js'

const now = '2026-01-01T00:00:00.000Z'

const message = (branch: number, sequence: number, more: Partial<MessageInDocument> = {}): MessageInDocument => ({
  ...{ branch, sequence, run: 1, role: sequence % 2 === 0 ? 'user' : 'assistant', status: 'complete', created_at: now },
  content: [{ type: 'text', text: 'x' }],
  ...more,
})

type Branch = ChatDocument['branches'][number]

const branch = (number: number, fork: Branch['fork']): Branch => ({ number, fork, created_at: now })

const document = (changes: Partial<ChatDocument> = {}): ChatDocument => ({
  format: 'agent-service.chat',
  version: 1,
  chat: { title: null, agent: null, archived: false, compaction: true, branch: 1, created_at: now, updated_at: now },
  branches: [branch(1, null), branch(2, { branch: 1, sequence: 2 }), branch(3, { branch: 2, sequence: 3 })],
  messages: [message(1, 0), message(1, 1), message(1, 2), message(1, 3), message(2, 2), message(2, 3), message(3, 3)],
  summaries: [],
  ...changes,
})

const problemsOf = async (changes: Partial<ChatDocument>): Promise<readonly string[]> => {
  const error = await checkDocument(document(changes)).catch((reason: unknown) => reason)
  expect(error).to.have.property('code', 'invalid_request')
  return (error as { readonly problems: readonly { readonly path: string }[] }).problems.map(({ path }) => path)
}

describe('the rules of an imported chat', () => {
  it('accept a complete document, whose branches get their ranges', async () => {
    expect(await checkDocument(document())).to.deep.equal([
      { from: 0, to: 4 },
      { from: 2, to: 4 },
      { from: 3, to: 4 },
    ])
  })

  it('refuse cycles, and forks of missing messages', async () => {
    const forks: readonly [Branch['fork'], string][] = [
      [{ branch: 2, sequence: 2 }, '/branches/1/fork/branch'],
      [{ branch: 3, sequence: 2 }, '/branches/1/fork/branch'],
      [null, '/branches/1/fork'],
    ]
    for (const [fork, path] of forks) {
      expect(await problemsOf({ branches: [branch(1, null), branch(2, fork)], messages: [message(1, 0)] })).to.deep.equal([path])
    }
    const behindTheEnd = [branch(1, null), branch(2, { branch: 1, sequence: 9 })]
    expect(await problemsOf({ branches: behindTheEnd, messages: [message(1, 0)] })).to.deep.equal(['/branches/1/fork/sequence'])
    // The message before it is one of branch 1, which the fork has to name.
    const wrongOwner = [branch(1, null), branch(2, { branch: 1, sequence: 1 }), branch(3, { branch: 2, sequence: 1 })]
    expect(await problemsOf({ branches: wrongOwner, messages: [message(1, 0), message(1, 1), message(2, 1)] })).to.deep.equal([
      '/branches/2/fork/sequence',
    ])
  })

  it('refuse numbers out of order, overlapping branches and gaps', async () => {
    expect(await problemsOf({ branches: [branch(2, null)], messages: [] })).to.deep.equal(['/branches/0/number'])
    expect(await problemsOf({ messages: [message(1, 0), message(1, 0)] })).to.include('/messages/1/sequence')
    expect(await problemsOf({ messages: [message(1, 0), message(1, 2)] })).to.include('/messages/1/sequence')
    expect(await problemsOf({ messages: [message(1, 0), message(1, 1), message(1, 2), message(2, 1)] })).to.include('/messages/3/sequence')
    expect(await problemsOf({ messages: [message(2, 2), message(1, 0)] })).to.deep.equal(['/messages/1/branch'])
    expect(await problemsOf({ messages: [message(7, 0)] })).to.deep.equal(['/messages/0/branch'])
    expect(await problemsOf({ chat: { ...document().chat, branch: 4 } })).to.deep.equal(['/chat/branch'])
  })

  it('refuse summaries without messages of their branch', async () => {
    const summary = { text: '', task: null, tokens_before: 0, tokens: 0, model: '', created_at: now, undone_at: null }
    for (const [number, until] of [
      [2, 2],
      [2, 5],
      [9, 1],
    ] as const) {
      const [path] = await problemsOf({ summaries: [{ ...summary, branch: number, until }] })
      expect(path).to.equal(number === 9 ? '/summaries/0/branch' : '/summaries/0/until')
    }
  })

  it('refuse parts that do not fit the role, and duplicate calls', async () => {
    const call = { type: 'tool_call' as const, call_id: 'a', name: 'tool', arguments: {} }
    expect(await problemsOf({ messages: [message(1, 0, { content: [call] })], branches: [branch(1, null)] })).to.deep.equal([
      '/messages/0/content/0/type',
    ])
    const twice = message(1, 0, { role: 'assistant', content: [call, call] })
    expect(await problemsOf({ messages: [twice], branches: [branch(1, null)] })).to.deep.equal(['/messages/0/content/1/call_id'])
    let deep: Record<string, unknown> = {}
    for (let level = 0; level < 80; level += 1) deep = { deep }
    const nested = message(1, 0, { role: 'assistant', content: [{ ...call, arguments: deep }] })
    expect(await problemsOf({ messages: [nested], branches: [branch(1, null)] })).to.deep.equal(['/messages/0/content/0/arguments'])
  })

  it('report at most twenty problems', async () => {
    const messages = Array.from({ length: 500 }, () => message(9, 0))
    expect(await problemsOf({ messages, branches: [branch(1, null)] })).to.have.length(20)
  })

  it('keep only known members: no links, no lone surrogates, no data for a vendor', () => {
    const content = [
      { type: 'text', text: 'a\ud800b', opaque: { vendor: 'v', data: 1 } },
      { type: 'image', media_type: 'image/png', url: 'http://10.0.0.1/secret' },
      { type: 'file', media_type: 'text/plain', name: 'n.txt', data: 'eA==', url: 'file:///etc/passwd' },
    ] as MessageInDocument['content']
    expect(importedContent(message(1, 0, { content }))).to.deep.equal([
      { type: 'text', text: 'a\ufffdb' },
      { type: 'text', text: '(image: http://10.0.0.1/secret)' },
      { type: 'file', name: 'n.txt', media_type: 'text/plain', data: 'eA==' },
    ])
  })
})
