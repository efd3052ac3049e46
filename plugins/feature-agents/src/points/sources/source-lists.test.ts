import { EventEmitter, on } from 'node:events'
import { createControlledClock } from '@agent-service/kernel/testing'
import type { Contribution, ContributionPoint } from '@agent-service/sdk'
import type { SourceTool, ToolSource, ToolSourceChange } from '@agent-service/sdk/contracts/tool-source'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { expect } from 'chai'
import { createRecordingLogger } from '../../test-support/fake-tools.js'
import { createSourceLists } from './source-lists.js'

const owner = { userId: 'u', agentId: 'a', agentHandle: 'assistant' }
const tool = (name: string): SourceTool => ({ name, description: 'For a test.', parameters: { type: 'object' } })
const turn = () => new Promise((resolve) => setImmediate(resolve))

function begin(changes: Partial<ToolSource> = {}) {
  const state = { reads: 0, list: [tool('one')] as readonly SourceTool[], fails: false }
  const source: ToolSource = {
    specVersion: 1,
    id: 'hall',
    title: 'Hall',
    supports: { probe: false },
    async tools() {
      state.reads += 1
      if (state.fails) throw new Error('closed')
      return state.list
    },
    execute: async () => ({ content: [] }),
    ...changes,
  }
  let sources: readonly ToolSource[] = [source]
  const listeners = new Set<() => void>()
  const contributions: Pick<Contributions, 'list' | 'acquire' | 'onChange'> = {
    list: <T extends Contribution>(_: ContributionPoint<T>) =>
      sources.map((value) => ({ key: value.id, pluginId: 'p', value: value as never })),
    acquire: (_, key) => {
      const found = sources.find(({ id }) => id === key)
      return found && { key, pluginId: 'p', value: found as never, signal: new AbortController().signal, release: () => undefined }
    },
    onChange: (_, listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const clock = createControlledClock()
  const log = createRecordingLogger()
  const lists = createSourceLists({ contributions, clock, log })
  const replace = (next: readonly ToolSource[]): void => {
    sources = next
    for (const listener of [...listeners]) listener()
  }
  return { state, source, clock, log, lists, replace, listeners, names: () => [...(lists.known('hall', 'a')?.tools.keys() ?? [])] }
}

describe('the lists of tool sources', () => {
  it('are read once for concurrent calls, and again after half a minute', async () => {
    const { state, lists, clock, names } = begin()
    await Promise.all([lists.refresh('hall', owner), lists.refresh('hall', owner)])
    expect([state.reads, names()]).to.deep.equal([1, ['hall__one']])
    await lists.refresh('hall', owner)
    await clock.advance(29_000)
    await lists.refresh('hall', owner)
    expect(state.reads).to.equal(1)
    await clock.advance(1_000)
    state.list = [tool('two')]
    await lists.refresh('hall', owner)
    expect([state.reads, names()]).to.deep.equal([2, ['hall__two']])
  })

  it('keep the same tool objects while nothing changes', async () => {
    const { lists, clock } = begin()
    await lists.refresh('hall', owner)
    const first = lists.known('hall', 'a')
    await clock.advance(60_000)
    await lists.refresh('hall', owner)
    expect(lists.known('hall', 'a')).to.equal(first)
  })

  it('stay as known after a failed read, and are read again soon', async () => {
    const { state, lists, clock, log, names } = begin()
    await lists.refresh('hall', owner)
    await clock.advance(30_000)
    state.fails = true
    await lists.refresh('hall', owner)
    await lists.refresh('hall', owner)
    expect([state.reads, names(), log.lines.length]).to.deep.equal([2, ['hall__one'], 1])
    state.fails = false
    state.list = []
    await clock.advance(2_000)
    await lists.refresh('hall', owner)
    expect([state.reads, names()]).to.deep.equal([3, []])
  })

  it('are read again when their source reports a change, and only the changed ones', async () => {
    const bus = new EventEmitter()
    const { state, lists, clock } = begin({
      async *changes({ signal }) {
        for await (const [change] of on(bus, 'change', { signal })) yield change as ToolSourceChange
      },
    })
    const other = { userId: 'v', agentId: 'b', agentHandle: 'other' }
    const all = async () => {
      await lists.refresh('hall', owner)
      await lists.refresh('hall', other)
      return state.reads
    }
    expect(await all()).to.equal(2)
    await clock.advance(200_000)
    expect(await all(), 'while it listens').to.equal(2)
    bus.emit('change', { userId: 'v' })
    await turn()
    expect(await all()).to.equal(3)
    bus.emit('change', {})
    await turn()
    expect(await all()).to.equal(5)
    await clock.advance(300_000)
    expect(await all(), 'a notice may be lost').to.equal(7)
    await lists.close()
    expect(bus.listenerCount('change')).to.equal(0)
  })

  it('are listened to again after the stream of changes broke off', async () => {
    let opened = 0
    const { state, lists, clock, log } = begin({
      // biome-ignore lint/correctness/useYield: it breaks off before the first change
      async *changes() {
        opened += 1
        throw new Error('broken')
      },
    })
    await lists.refresh('hall', owner)
    await turn()
    expect([opened, log.lines.length]).to.deep.equal([1, 1])
    await lists.refresh('hall', owner)
    expect(state.reads, 'what came meanwhile is not known').to.equal(2)
    await clock.advance(5_000)
    await turn()
    expect(opened).to.equal(2)
    await lists.close()
    await turn()
    expect(clock.pending()).to.equal(0)
  })

  it('are removed with their source, and come from the new one if it is added again', async () => {
    const { source, lists, replace, names, listeners } = begin()
    await lists.refresh('hall', owner)
    replace([])
    expect(names()).to.deep.equal([])
    await lists.refresh('hall', owner)
    expect(names()).to.deep.equal([])
    replace([{ ...source, tools: async () => [tool('three')] }])
    await lists.refresh('hall', owner)
    expect(names()).to.deep.equal(['hall__three'])
    await lists.close()
    expect(listeners.size).to.equal(0)
  })

  it('leave out invalid tools, and report which', async () => {
    const circle: Record<string, unknown> = { type: 'object' }
    const { state, lists, names, log } = begin()
    state.list = [
      tool('good'),
      { ...tool('text'), parameters: { type: 'string' } },
      { ...tool('long'), name: 'x'.repeat(300) },
      tool('good'),
    ]
    await lists.refresh('hall', owner)
    expect(names()).to.deep.equal(['hall__good'])
    expect(lists.known('hall', 'a')?.omitted.map(({ reason }) => reason)).to.deep.equal([
      'its schema does not describe an object',
      'its name must have 1 to 256 characters',
      'another tool has the name “hall__good”',
    ])
    expect(log.lines).to.have.length(1)
    circle['again'] = circle
    state.list = [{ ...tool('circle'), parameters: circle as never }]
    const second = begin()
    second.state.list = state.list
    await second.lists.refresh('hall', owner)
    expect(second.names()).to.deep.equal([])
  })
})
