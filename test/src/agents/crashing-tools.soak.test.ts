import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { endOf } from './support/agents-kernel.js'
import { type CountingTools, writeCountingTools } from './support/counting-tools.js'
import { type PlannedUpstream, startPlannedUpstream } from './support/planned-upstream.js'

describe('a service that is killed while tools run', function () {
  this.timeout(60_000)
  let upstream: PlannedUpstream
  let folder: string
  let tools: CountingTools
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    upstream = await startPlannedUpstream()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-tools-'))
    await writeConfiguration(folder, upstream.url)
    tools = await writeCountingTools(folder)
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
    await upstream.close()
    await removeFolder(folder)
  })

  const start = async (): Promise<Api> => {
    const environment = {
      ...fewPlugins(),
      UPSTREAM_KEY: 'upstream-key-0123456789',
      SERVICE_PLUGINS_SOURCES: JSON.stringify([tools.folder]),
    }
    service = await startServiceProcess({ folder, environment })
    return signUp(service.url, 'ada')
  }
  const startFresh = async (): Promise<Api> => {
    const ada = await start()
    const [agent] = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
    await ada.request('PATCH', `/api/agents/${agent?.id}`, { tools: tools.names, approval: { '*': 'never' } })
    return ada
  }
  /** A run of two tool calls: one that ends, and one that hangs so often. */
  const post = async (ada: Api, tool: string, hangs: number) => {
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const content = JSON.stringify([
      { tool: 'tool__unsafe', hangs: 0 },
      { tool, hangs },
    ])
    const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content })
    return { tool, chat, run: (body['run'] as { readonly id: string }).id }
  }
  /** How often each call of a chat was executed and probed, in order of the calls. */
  const countsOf = async (ada: Api, chat: string) => {
    const messages = (await ada.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly {
      readonly role: string
      readonly content: readonly { readonly type: string; readonly call_id: string; readonly outcome?: string }[]
    }[]
    const results = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result')
    const seen = await tools.executions()
    return results.map(({ call_id, outcome }) => {
      const count = (kind: string): number => seen.filter((line) => line.callId === call_id && line.kind === kind).length
      return { executed: count('execute'), probed: count('probe'), ...(outcome === undefined ? {} : { outcome }) }
    })
  }
  const ended = { executed: 1, probed: 0 }

  it('repeats safe calls, probes checkable ones, and repeats no unsafe call and no completed step', async () => {
    const ada = await startFresh()
    const stream = await ada.stream()
    const runs = []
    for (const tool of tools.names) runs.push(await post(ada, tool, 1))
    await tools.executed(1, tools.names)
    const started = await stream.until(({ name }) => name === 'run.started')
    stream.close()
    await tools.executed(tools.names.length + 1, ['tool__unsafe'])
    await service?.kill()

    const again = await start()
    const resumed = await again.stream({ after: started.id ?? '' })
    for (const { run } of runs) expect((await endOf(resumed, run)).name).to.equal('run.completed')
    resumed.close()
    const seen = Object.fromEntries(await Promise.all(runs.map(async ({ tool, chat }) => [tool, await countsOf(again, chat)] as const)))
    expect(seen).to.deep.equal({
      tool__read: [ended, { executed: 2, probed: 0 }],
      tool__idempotent: [ended, { executed: 2, probed: 0 }],
      tool__checkable_done: [ended, { executed: 1, probed: 1 }],
      tool__checkable_not_done: [ended, { executed: 2, probed: 1 }],
      tool__checkable_unknown: [ended, { executed: 1, probed: 1, outcome: 'unknown' }],
      tool__unsafe: [ended, { executed: 1, probed: 0, outcome: 'unknown' }],
    })
    for (const tool of tools.names) {
      const turns = upstream.turnsOf(tool)
      expect(
        turns.map((results) => results.length),
        `the turns of ${tool}: each was asked for once`,
      ).to.deep.equal([0, 1, 2])
      expect(turns.at(-1)?.[0]).to.equal('tool__unsafe is done')
    }
    for (const tool of ['tool__unsafe', 'tool__checkable_unknown']) expect(upstream.turnsOf(tool).at(-1)?.[1]).to.match(/^Outcome unknown/)
    expect(upstream.turnsOf('tool__checkable_done').at(-1)?.[1]).to.match(/had its effect/)
    expect(upstream.turnsOf('tool__idempotent').at(-1)?.[1]).to.equal('tool__idempotent is done')
  })

  it('does the same when it is killed again during the repeated calls', async () => {
    const wanted = ['tool__read', 'tool__idempotent', 'tool__checkable_not_done']
    const ada = await startFresh()
    const stream = await ada.stream()
    const runs = []
    for (const tool of wanted) runs.push(await post(ada, tool, 2))
    await tools.executed(1, wanted)
    const started = await stream.until(({ name }) => name === 'run.started')
    stream.close()
    await service?.kill()
    await start()
    await tools.executed(2, wanted)
    await service?.kill()

    const again = await start()
    const resumed = await again.stream({ after: started.id ?? '' })
    for (const { run } of runs) expect((await endOf(resumed, run)).name).to.equal('run.completed')
    resumed.close()
    for (const { tool, chat } of runs) {
      const probed = tool === 'tool__checkable_not_done' ? 2 : 0
      expect(await countsOf(again, chat), tool).to.deep.equal([ended, { executed: 3, probed }])
      expect(upstream.turnsOf(tool)).to.have.length(3)
    }
  })
})
