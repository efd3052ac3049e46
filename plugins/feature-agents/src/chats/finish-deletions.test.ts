import { expect } from 'chai'
import { chatCollection, newChat } from '../store/chats/chat.js'
import { chatDeletionCollection } from '../store/chats/chat-deletion.js'
import { deletedChatCollection } from '../store/chats/deleted-chat.js'
import { createRecordingLogger } from '../test-support/fake-tools.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { queuedRun } from '../test-support/queued-run.js'
import { deleteChat } from './delete-chat.js'
import { eraseChat } from './erase-chat.js'
import { createFinishDeletionsJob } from './finish-deletions.js'

const signal = new AbortController().signal

function begin() {
  const { database, documents } = createMemoryDatabase()
  const state = { now: Date.UTC(2026, 0, 1), locked: true, erased: [] as string[], stopped: [] as string[] }
  const log = createRecordingLogger()
  const dependencies = {
    database,
    log,
    events: { record: () => undefined },
    clock: { now: () => state.now },
    runs: {
      async cancel(id: string) {
        if (state.locked) throw new Error('The client is gone.')
        state.stopped.push(id)
        return queuedRun(id)
      },
    },
    parts: {
      async rest({ chatId }: { readonly chatId: string }) {
        state.stopped.push(chatId)
      },
      async erase({ chatId }: { readonly chatId: string }) {
        if (state.locked) throw new Error('locked')
        state.erased.push(chatId)
      },
    },
  }
  const [chats, deletions] = [documents(chatCollection), documents(chatDeletionCollection)]
  for (const id of ['one', 'two'])
    chats.set(id, newChat({ id, user_id: 'u', agent_id: 'a', title: null }, new Date(state.now).toISOString()))
  const hide = (chatId: string) => deleteChat({ ...dependencies, keepDays: 30 }, { chatId, userId: 'u', signal })
  const remove = (chatId: string) => eraseChat(dependencies, { chatId, userId: 'u', signal })
  return {
    state,
    log,
    chats,
    deletions,
    deleted: documents(deletedChatCollection),
    hide,
    remove,
    job: createFinishDeletionsJob(dependencies),
  }
}

describe('interrupted deletions of chats', () => {
  it('are finished by the job, as soon as the obstacle is gone', async () => {
    const { state, log, chats, deletions, remove, job } = begin()
    expect(await remove('one').catch((error: unknown) => error)).to.have.property('message', 'locked')
    expect([[...deletions.keys()], chats.get('one')?.deleting]).to.deep.equal([['one'], true])
    state.now += 60_000
    await job.run({ signal, epoch: 1 })
    expect(log.lines, 'a deletion that goes on is left alone').to.deep.equal([])
    state.now += 60_000
    await job.run({ signal, epoch: 1 })
    expect(log.lines.map(({ fields }) => fields['chat_id'])).to.deep.equal(['one'])
    expect(chats.has('one')).to.equal(true)
    state.locked = false
    await job.run({ signal, epoch: 1 })
    expect([[...chats.keys()], deletions.size, state.erased]).to.deep.equal([['two'], 0, ['one']])
  })

  it('leave no record without an obstacle, and the record of a deleted chat is removed', async () => {
    const { state, deletions, remove, job } = begin()
    state.locked = false
    await remove('one')
    expect(deletions.size).to.equal(0)
    deletions.set('gone', { id: 'gone', user_id: 'u', began_at: new Date(state.now - 600_000).toISOString() })
    await job.run({ signal, epoch: 1 })
    expect(deletions.size).to.equal(0)
  })

  it('that leave a chat to be restored stop what works for it later', async () => {
    const { state, chats, deleted, hide, job } = begin()
    chats.set('one', { ...newChat({ id: 'one', user_id: 'u', agent_id: 'a', title: null, message_count: 1 }, ''), active_run_id: 'run' })
    expect(await hide('one').catch((error: unknown) => error)).to.have.property('message', 'The client is gone.')
    expect(state.stopped).to.deep.equal([])
    state.now += 120_001
    await job.run({ signal, epoch: 1 })
    state.locked = false
    await job.run({ signal, epoch: 1 })
    expect(state.stopped).to.deep.equal(['run', 'one'])
    expect(deleted.get('one')).to.include({ stopping_since: null })
  })
})
