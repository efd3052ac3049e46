import { strict as assert } from 'node:assert'
import type { MemoryChatChange } from '../../contracts/memory-backend/memory-backend.js'
import { foreignRecord } from './moves.js'
import { ada, assistant } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'

const change = (chatId: string, reason: MemoryChatChange['reason'], minute = 0): MemoryChatChange => {
  return { userId: ada, chatId, agentId: assistant, spaceId: null, reason, at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() }
}

/** What changes of chats do. */
export function describeChats({ it }: MemorySuite): void {
  it('takes changes of chats twice, late, out of order, and of chats that it does not know', async (bench) => {
    const { backend, signal, remember, texts, sweepAll } = bench
    await remember('Stays', { evidence: { chatId: 'chat-1' } })
    const changes = [
      ...[change('chat-1', 'messages', 5), change('chat-1', 'messages', 5), change('chat-1', 'messages', 1)],
      ...[
        change('chat-1', 'included', 4),
        change('chat-1', 'excluded', 3),
        change('chat-2', 'excluded', 3),
        change('chat-2', 'included', 9),
      ],
      ...[change('no-such-chat', 'messages'), change('no-such-chat', 'deleted'), change('no-such-chat', 'messages')],
    ]
    await Promise.all(changes.map((each) => backend.chatChanged(each, { signal })))
    await sweepAll()
    assert.deepEqual(await texts(), ['Stays'])
  })

  it('forgets what several messages of a deleted chat say, and does not store it again for the repeated key', async (bench) => {
    const { backend, signal, remember, take, texts, sweepAll } = bench
    const evidence = [1, 2].map((number) => ({ chatId: 'chat-1', messageId: `message-${number}` }))
    await take([foreignRecord('twice', { text: 'Poplar: said twice', evidence })])
    await remember('Poplar: said once', { key: 'call-1', evidence: { chatId: 'chat-1' } })
    await backend.chatChanged(change('chat-1', 'deleted'), { signal })
    await sweepAll()
    await remember('Poplar: said once', { key: 'call-1', evidence: { chatId: 'chat-1' } })
    assert.deepEqual(await texts(), [])
  })

  it('forgets what only a deleted chat says, also when the change comes twice, and is followed by a late one', async (bench) => {
    const { backend, signal, remember, take, texts, find, prompt, sweepAll, exported } = bench
    await remember('Willow: only of the chat', { evidence: { chatId: 'chat-1', messageId: 'message-1' } })
    await remember('Willow: of another chat', { evidence: { chatId: 'chat-2' } })
    await remember('Willow: of no chat')
    await take([foreignRecord('both', { text: 'Willow: of both', evidence: [{ chatId: 'chat-1' }, { chatId: 'chat-2' }] })])
    const pinned = await remember('Willow: pinned', { evidence: { chatId: 'chat-1' } })
    await backend.change(pinned, { pinned: true }, { userId: ada, signal })
    const corrected = await remember('Willow: wrong', { evidence: { chatId: 'chat-1' } })
    await backend.change(corrected, { text: 'Willow: corrected' }, { userId: ada, signal })
    for (const each of [change('chat-1', 'deleted', 1), change('chat-1', 'deleted', 1), change('chat-1', 'messages', 0)])
      await backend.chatChanged(each, { signal })
    const before = await prompt()
    const told = await sweepAll()
    if ((await prompt()) !== before) assert.ok(told.has(ada), 'the sweep has changed a prompt and has not told of its user')
    const left = ['Willow: corrected', 'Willow: of another chat', 'Willow: of both', 'Willow: of no chat', 'Willow: pinned']
    assert.deepEqual([await texts(), [...(await find('willow'))].sort()], [left, left])
    assert.doesNotMatch(await prompt(), /only of the chat/)
    assert.doesNotMatch(JSON.stringify(await exported()), /only of the chat/)
  })
}
