import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Events } from '@agent-service/sdk/services/events'
import { expect } from 'chai'
import { chatCollection, newChat } from '../store/chats/chat.js'
import { type Message, messageCollection } from '../store/chats/message.js'
import { runCollection } from '../store/runs/run.js'
import { type RunStep, runStepCollection } from '../store/runs/run-step.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { queuedRun } from '../test-support/queued-run.js'
import { eraseChat } from './erase-chat.js'

const now = '2026-01-01T00:00:00.000Z'
const signal = new AbortController().signal

const begin = () => {
  const { database, documents } = createMemoryDatabase()
  const [chats, runs, steps, messages] = [
    documents(chatCollection),
    documents(runCollection),
    documents(runStepCollection),
    documents(messageCollection),
  ]
  for (const id of ['one', 'two']) {
    const chat = newChat({ id, user_id: 'u', agent_id: 'a', title: null, active_run_id: `run of ${id}`, message_count: 1 }, now)
    const run = queuedRun(`run of ${id}`, 'u', { chat_id: id, status: 'running' })
    const step: RunStep = { id: `${run.id}/0`, run_id: run.id, user_id: 'u', index: 0, epoch: 1, at: now, body: { type: 'run.started' } }
    const message: Message = {
      id: `message of ${id}`,
      chat_id: id,
      branch_id: id,
      user_id: 'u',
      run_id: run.id,
      role: 'user',
      status: 'complete',
      content: [],
      sequence: 0,
      created_at: now,
    }
    chats.set(id, chat)
    runs.set(run.id, run)
    steps.set(step.id, step)
    messages.set(message.id, message)
  }
  return { database, chats, runs, steps, messages }
}
const recorded: string[] = []
const events: Pick<Events, 'record'> = { record: (_, { name, data }) => void recorded.push(`${name} ${String(data['chat_id'])}`) }
const clock = { now: () => Date.parse(now) }
const parts = { erase: async () => undefined }
const request = { chatId: 'one', userId: 'u', signal }

describe('erasing a chat', () => {
  it('marks it, stops its run, and deletes everything that belongs to it and nothing else', async () => {
    const { database, chats, runs, steps, messages } = begin()
    const seen: unknown[] = []
    const cancel = async (runId: string) => {
      seen.push([runId, chats.get('one')?.deleting])
      return queuedRun(runId)
    }
    await eraseChat({ database, events, clock, parts, runs: { cancel } }, request)
    expect(seen, 'marked before the run is stopped').to.deep.equal([['run of one', true]])
    expect([chats, runs, steps, messages].map((kept) => [...kept.keys()])).to.deep.equal([
      ['two'],
      ['run of two'],
      ['run of two/0'],
      ['message of two'],
    ])
    expect(recorded.splice(0)).to.deep.equal(['chat.deleted one'])
  })

  it('can be repeated after an interruption', async () => {
    const { database, chats, runs, steps, messages } = begin()
    const stopped = new Error('stopped')
    const first = await eraseChat({ database, events, clock, parts, runs: { cancel: () => Promise.reject(stopped) } }, request).catch(
      (error: unknown) => error,
    )
    expect(first).to.equal(stopped)
    expect(recorded).to.deep.equal([])
    expect(chats.get('one')?.deleting).to.equal(true)
    runs.delete('run of one')
    await eraseChat(
      { database, events, clock, parts, runs: { cancel: () => Promise.reject(notFoundError.create({ what: 'run' })) } },
      request,
    )
    expect(chats.has('one')).to.equal(false)
    expect(messages.has('message of one')).to.equal(false)
    expect(steps.has('run of two/0')).to.equal(true)
  })

  it("reports another user's chat as not found", async () => {
    const { database, chats } = begin()
    const error = await eraseChat(
      { database, events, clock, parts, runs: { cancel: async (id) => queuedRun(id) } },
      { ...request, userId: 'other' },
    ).catch((reason: unknown) => reason)
    expect(error).to.have.property('code', 'not_found')
    expect(chats.get('one')?.deleting).to.equal(false)
  })
})
