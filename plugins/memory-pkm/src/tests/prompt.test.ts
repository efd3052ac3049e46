import { expect } from 'chai'
import { wholePromptTextOf } from '../read/prompt-text.js'
import { playbook, shortMemory } from '../store/make-memory.js'
import type { StoredMemory } from '../store/records.js'
import { ada, openPkm } from '../test-support/open-pkm.js'
import { defaultSettings } from '../test-support/test-settings.js'

const now = Date.parse('2026-01-02T00:00:00.000Z')
const at = (minute: number): string => new Date(now - minute * 60_000).toISOString()
const base = (id: string, text: string, minute = 0) => ({
  userId: ada,
  id,
  scope: { kind: 'user' as const },
  text,
  at: at(minute),
  evidence: [],
})
const short = (id: string, text: string, minute = 0): StoredMemory => shortMemory(base(id, text, minute), 'fact')
const read = (memories: readonly StoredMemory[], settings: object = {}, maxTokens = 10_000): string | undefined =>
  wholePromptTextOf(memories, { userId: ada, agentId: 'agent-1', maxTokens, now }, { ...defaultSettings, ...settings })

describe('what an agent reads of its memories', () => {
  it('has at most the configured number of lines, the best first', () => {
    const memories = Array.from({ length: 30 }, (_, index) => short(`m${index}`, `Fact number ${index}.`, index))
    const lines = read(memories)?.split('\n') ?? []
    expect(lines).to.have.length(17)
    expect(lines.slice(0, 3)).to.deep.equal(['Remembered:', '- Fact number 0.', '- Fact number 1.'])
    expect(read(memories, { pkm_short_memory_top_n: 0 })).to.equal(undefined)
  })

  it('takes whole lines up to exactly the configured tokens', () => {
    const heading = 'Remembered:'
    const memories = [short('a', 'x'.repeat(37), 1), short('b', 'y'.repeat(37), 2)]
    const one = heading.length + 1 + 39
    expect(one % 4).to.equal(3)
    const both = one + 1 + 39
    expect(read(memories, { pkm_short_memory_token_cap: Math.ceil(both / 4) })).to.have.length(both)
    expect(read(memories, { pkm_short_memory_token_cap: Math.ceil(both / 4) - 1 })).to.have.length(one)
    expect(read(memories, { pkm_short_memory_token_cap: Math.ceil(one / 4) })).to.have.length(one)
    expect(read(memories, { pkm_short_memory_token_cap: Math.ceil(one / 4) - 1 })).to.equal(undefined)
    expect(read(memories, {}, Math.ceil(one / 4))).to.have.length(one)
  })

  it('takes pinned ones first, however old, and says nothing twice', () => {
    const pinned = { ...short('p', 'Is deaf in one ear.', 900_000), pinned: true }
    expect(read([short('a', 'Likes tea.'), pinned, short('b', 'likes  tea', 5)])).to.equal(
      'Remembered:\n- Is deaf in one ear.\n- Likes tea.',
    )
  })

  it('lists playbooks within a budget of their own, those used last first', () => {
    const book = (id: string, minute: number) => playbook(base(id, 'Steps', minute), { title: `Title ${id}`, when_to_use: 'Each month' })
    const books = [book('one', 9), { ...book('two', 20), last_used_at: at(1) }]
    const index = 'Playbooks (playbook_read opens one):\n- two: Title two – Each month\n- one: Title one – Each month'
    expect(read(books)).to.equal(index)
    expect(read(books, { pkm_playbook_index_token_cap: Math.ceil(index.length / 4) })).to.equal(index)
    expect(read(books, { pkm_playbook_index_token_cap: Math.floor((index.length - 1) / 4) })).to.equal(
      index.split('\n').slice(0, 2).join('\n'),
    )
    expect(read([short('a', 'Likes tea.'), ...books], { pkm_playbook_index_token_cap: 0 })).to.equal('Remembered:\n- Likes tea.')
  })

  it('stays the same while nothing changes, though all scores fall', async () => {
    const memories = Array.from({ length: 12 }, (_, index) => ({
      ...shortMemory(base(`m${index}`, `Fact ${index}.`, index * 700), 'fact'),
      weight: 1 - index / 20,
    }))
    const texts = [0, 1, 5, 9].map((days) =>
      wholePromptTextOf(memories, { userId: ada, agentId: 'a', maxTokens: 900, now: now + days * 86_400_000 }, defaultSettings),
    )
    expect(new Set(texts).size).to.equal(1)
  })

  it('opens a playbook for the agent, and offers that only while pkm is in use', async () => {
    const pkm = await openPkm()
    const worked = 'That worked, do it like this every time.'
    await pkm.chat('chat-1', ['File my expenses', { role: 'agent', text: 'Done.' }, worked])
    await pkm.sweep()
    const records = await pkm.export()
    const found = records.find(({ kind }) => kind === 'playbook')
    expect(found).to.include({ title: 'File the expenses', whenToUse: found?.details?.['pkm']?.['when_to_use'] })
    expect(found?.whenToUse).to.be.a('string').and.not.equal('')
    const answer = await pkm.host.call('playbook_read', { id: found?.id ?? '' }, { userId: ada, agentId: 'agent-1', chatId: 'chat-1' })
    expect(JSON.stringify(answer.content)).to.contain('Collect the receipts')
    const other = await pkm.host.call('playbook_read', { id: found?.id ?? '' }, { userId: 'user-2', agentId: 'agent-2', chatId: 'chat-9' })
    expect(other.isError).to.equal(true)
    pkm.host.services.policies.decide(({ resource }) => resource.id !== 'listMemories')
    const denied = await pkm.host.call('playbook_read', { id: found?.id ?? '' }, { userId: ada, agentId: 'agent-1', chatId: 'chat-1' })
    expect(denied.isError).to.equal(true)
    expect(JSON.stringify(denied.content)).to.contain('do not permit').and.not.contain('Collect the receipts')
    const { tools } = await import('@agent-service/sdk/contracts/tool')
    const agent = { id: 'a', handle: 'a', userId: ada, memory: { enabled: true } }
    const [tool] = pkm.host.contributed(tools)
    expect([tool?.offered?.(agent), tool?.offered?.({ ...agent, memory: { enabled: false } })]).to.deep.equal([true, false])
    const basic = await openPkm([], { settings: { backend: 'basic' } })
    expect(basic.host.contributed(tools)[0]?.offered?.(agent)).to.equal(false)
    await basic.dispose()
    await pkm.dispose()
  })
})
