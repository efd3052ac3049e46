import { AsyncLocalStorage } from 'node:async_hooks'
import type { Contribution } from '@agent-service/sdk'
import { expect } from 'chai'
import { guardContribution } from './guard-contribution.js'
import type { ContributionGuard } from './guard-tool.js'

const ofPlugin = new AsyncLocalStorage<number>()
const guard: ContributionGuard = {
  run: (work) => ofPlugin.run((ofPlugin.getStore() ?? 0) + 1, work),
  onFault: (what, error) => {
    throw new Error(what, { cause: error })
  },
}

/** How often the work of a contribution was wrapped, also after an await. */
const depth = async (): Promise<number> => {
  await Promise.resolve()
  return ofPlugin.getStore() ?? 0
}
async function* depths(): AsyncIterable<number> {
  yield await depth()
  yield await depth()
}
const all = async (stream: AsyncIterable<number>): Promise<readonly number[]> => {
  const found: number[] = []
  for await (const each of stream) found.push(each)
  return found
}

type Member = (...given: unknown[]) => unknown
const guarded = (point: string, members: Readonly<Record<string, Member>>): Readonly<Record<string, Member>> =>
  guardContribution(point, { specVersion: 1, ...members }, guard) as Contribution & Readonly<Record<string, Member>>

describe('the functions of a contribution', () => {
  for (const [point, names] of Object.entries({
    'agent.prompt-section': ['text'],
    'agent.run-hook': ['beforeModelCall', 'afterModelCall', 'beforeToolCall', 'afterToolCall', 'mask', 'runEnded'],
    'chat.part': ['erase', 'export', 'import'],
    'tool.source': ['tools', 'execute', 'probe'],
    'memory.backend': ['promptText', 'remember', 'search', 'forget', 'chatChanged', 'sweep', 'list', 'get', 'change', 'import', 'erase'],
    'policy.engine': ['prepare', 'load', 'decide', 'rehearse', 'check'],
    'websocket.route': ['handle'],
    'provider.adapter': ['embed'],
    'scheduler.job': ['run'],
    'user.data': ['erase', 'size'],
  })) {
    it(`run once as work of the plugin: ${point}`, async () => {
      const value = guarded(point, Object.fromEntries(names.map((name) => [name, depth])))
      for (const name of names) expect(await value[name]?.(), name).to.equal(1)
      expect(Object.isFrozen(value)).to.equal(true)
    })
  }

  for (const [point, name] of [
    ['tool.source', 'changes'],
    ['memory.backend', 'export'],
    ['provider.adapter', 'call'],
    ['user.data', 'export'],
  ] as const) {
    it(`run as work of the plugin with every step of their stream: ${name} of ${point}`, async () => {
      const stream = guarded(point, { [name]: () => depths() })[name]?.()
      expect(await all(stream as AsyncIterable<number>)).to.deep.equal([1, 1])
    })

    it(`must return a stream: ${name} of ${point}`, () => {
      expect(() => guarded(point, { [name]: () => 'none' })[name]?.()).to.throw(/must return an AsyncIterable/)
    })
  }

  for (const [name, stream] of [
    ['handle', 'body'],
    ['upgrade', 'body'],
    ['upgrade', 'bytes'],
  ] as const) {
    it(`of a site run as its work, and so do their answers: ${stream} of ${name}`, async () => {
      const site = guarded('http.site', {
        [name]: async () => ({ status: await depth(), headers: [], [stream]: depths() }),
      })
      const answer = (await site[name]?.()) as { readonly status: number; readonly body?: unknown; readonly bytes?: unknown }
      expect(answer.status).to.equal(1)
      expect(await all(answer[stream] as AsyncIterable<number>)).to.deep.equal([1, 1])
    })
  }

  it('of a site may answer without a body', async () => {
    const answer = { status: 404, headers: [] }
    expect(await guarded('http.site', { handle: async () => answer })['handle']?.()).to.equal(answer)
  })

  it('of a session of a channel run once as its work, and so do those of its connect and its downloads', async () => {
    const account = { id: '1', name: 'Town' }
    const session = { account, send: depth, run: depth, download: () => depths() }
    const channel = guarded('channel', { connect: async () => ({ ...session, typing: async () => depth(), opened: await depth() }) })
    const opened = (await channel['connect']?.()) as Readonly<Record<string, Member>> & { readonly opened: unknown }
    expect(opened).to.include({ account, opened: 1 })
    for (const name of ['send', 'run', 'typing']) expect(await opened[name]?.(), name).to.equal(1)
    expect(await all(opened['download']?.() as AsyncIterable<number>)).to.deep.equal([1, 1])
    expect(Object.isFrozen(opened)).to.equal(true)
  })

  it('of a session keep their object, and what is no session is returned as it is', async () => {
    class Session {
      readonly account = { id: '1', name: 'Town' }
      async send() {
        return this.account
      }
    }
    const opened = (await guarded('channel', { connect: async () => new Session() })['connect']?.()) as Session
    expect(await opened.send()).to.deep.equal({ id: '1', name: 'Town' })
    expect(await guarded('channel', { connect: async () => undefined })['connect']?.()).to.equal(undefined)
  })
})
