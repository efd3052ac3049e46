import { Type } from '@agent-service/sdk'
import type { ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { EffectClass, Tool, ToolContent } from '@agent-service/sdk/contracts/tool'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { expect } from 'chai'
import type { CallMask } from '../../points/hooks/call-mask.js'
import { createFakeAgentTools, createFakeTools, createRecordingLogger, toolNamed } from '../../test-support/fake-tools.js'
import { createMadeFiles } from '../made-files/made-files.js'
import { createToolRunner, type ToolRunOptions } from './tool-runner.js'

const context = {
  runId: 'r',
  chatId: 'c',
  userId: 'u',
  agentId: 'a',
  agentHandle: 'agent',
  userHandle: 'u',
  workspace: 'a',
  depth: 0,
  timezone: 'UTC',
  progress: async () => undefined,
  output: async () => undefined,
}
const call = (changes: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool_call',
  call_id: 'call-1',
  provider_call_id: 'vendor-1',
  name: 'look',
  arguments: {},
  ...changes,
})
const textOf = (result: ToolResultPart): string =>
  result.content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
const mayCall = (...tools: readonly string[]) => ({ id: 'a', user_id: 'u', handle: 'agent', tools, skills: [], memory: { enabled: true } })
const never = (): Promise<never> => new Promise(() => undefined)

const begin = (...given: readonly Tool[]) => {
  const contributions = createFakeTools(given)
  const log = createRecordingLogger()
  const agentTools = createFakeAgentTools(contributions)
  const runner = createToolRunner({ agentTools, log })
  const run = async (part: ToolCallPart = call(), options: Partial<ToolRunOptions> = {}) => {
    const defaults = { agent: mayCall('look'), calls: 1, again: false, signal: new AbortController().signal }
    return (await runner.run(part, context, { ...defaults, ...options })).part
  }
  return { contributions, log, runner, run }
}

describe('one tool call', () => {
  it('gives the result with both ids of the call', async () => {
    const seen: string[] = []
    const { run, contributions } = begin(
      toolNamed('look', { execute: async (_, { callId }) => ({ content: [{ type: 'text', text: `${seen.push(callId)}` }] }) }),
    )
    expect(await run()).to.deep.equal({
      type: 'tool_result',
      call_id: 'call-1',
      provider_call_id: 'vendor-1',
      name: 'look',
      content: [{ type: 'text', text: '1' }],
    })
    expect(seen).to.deep.equal(['call-1'])
    expect(contributions.leases.size).to.equal(0)
  })

  it('refuses an unknown tool, and one that the agent may not call', async () => {
    let runs = 0
    const { run } = begin(toolNamed('look', { execute: async () => ({ content: [{ type: 'text', text: `${++runs}` }] }) }))
    expect(await run(call({ name: 'absent' }), { agent: mayCall('absent') })).to.include({ is_error: true })
    expect(textOf(await run(call(), { agent: mayCall() }))).to.include('The tool “look” does not exist')
    expect(runs).to.equal(0)
  })

  it('refuses a tool that is withheld from the agent, one of an earlier process too', async () => {
    let runs = 0
    const { run, contributions } = begin(
      toolNamed('look', {
        offered: ({ id, handle, userId, memory }) => memory.enabled && id === 'a' && handle === 'agent' && userId === 'u',
        execute: async () => ({ content: [{ type: 'text', text: `${++runs}` }] }),
      }),
    )
    const agent = { ...mayCall('look'), memory: { enabled: false } }
    expect(textOf(await run(call(), { agent }))).to.include('The tool “look” does not exist')
    expect(await run(call(), { agent, again: true })).to.include({ is_error: true, outcome: 'unknown' })
    expect(contributions.leases.size).to.equal(0)
    expect(runs).to.equal(0)
    expect(await run()).not.to.have.property('is_error')
  })

  it('asks a tool by what the run reports to whether the agent may have it', async () => {
    const asked: unknown[] = []
    const { run } = begin(
      toolNamed('look', {
        offered: ({ reportsTo }) => {
          asked.push(reportsTo)
          return reportsTo?.kind === 'place'
        },
        execute: async () => ({ content: [{ type: 'text', text: 'Seen.' }] }),
      }),
    )
    for (const reports_to of [{ kind: 'place', id: '1' }, null])
      expect((await run(call(), { agent: { ...mayCall('look'), reports_to } })).is_error ?? false).to.equal(reports_to === null)
    expect(asked).to.deep.equal([{ kind: 'place', id: '1' }, null])
  })

  it('refuses arguments that are not valid, without running', async () => {
    let runs = 0
    const parameters = Type.Object({ place: Type.String() })
    const { run } = begin(toolNamed('look', { parameters, execute: async () => ({ content: [{ type: 'text', text: `${++runs}` }] }) }))
    const missing = await run()
    expect(missing.is_error).to.equal(true)
    expect(textOf(missing)).to.include('/place')
    expect(await run(call({ invalid_arguments: '{"pl' }))).to.include({ is_error: true })
    expect(runs).to.equal(0)
    expect((await run(call({ arguments: { place: 'here' } }))).is_error).to.equal(undefined)
  })

  it('reports a tool that throws without internal details', async () => {
    const { run, log, contributions } = begin(toolNamed('look', { execute: () => Promise.reject(new Error('password=hunter2')) }))
    const result = await run()
    expect(result.is_error).to.equal(true)
    expect(JSON.stringify(result)).to.not.include('hunter2')
    expect(log.lines).to.have.length(1)
    expect(contributions.leases.size).to.equal(0)
  })

  it("keeps a tool's own error as one", async () => {
    const { run } = begin(
      toolNamed('look', { execute: async () => ({ isError: true, content: [{ type: 'text', text: 'no such place' }] }) }),
    )
    expect(await run()).to.deep.include({ is_error: true, content: [{ type: 'text', text: 'no such place' }] })
  })

  it('ends after its timeout even if the tool ignores it, with unknown outcome unless it only reads', async () => {
    const slow = { timeoutMs: 5, execute: never }
    const unsafe = await begin(toolNamed('look', slow)).run()
    expect(unsafe).to.include({ is_error: true, outcome: 'unknown' })
    const reading = await begin(toolNamed('look', { ...slow, effect: 'read' })).run()
    expect(reading.is_error).to.equal(true)
    expect(reading).to.not.have.property('outcome')
  })

  it("does not confuse a tool's own timeout with the call's", async () => {
    const execute = () => Promise.reject(new DOMException('inner', 'TimeoutError'))
    expect(textOf(await begin(toolNamed('look', { execute })).run())).to.include('The tool failed')
  })

  it('rejects with the reason of a cancel at once', async () => {
    const controller = new AbortController()
    const { run, contributions } = begin(toolNamed('look', { execute: never }))
    const reason = new Error('cancelled')
    const end = run(call(), { signal: controller.signal }).catch((error: unknown) => error)
    controller.abort(reason)
    expect(await end).to.equal(reason)
    expect(contributions.leases.size).to.equal(0)
  })

  it('reports an unknown outcome when the tool is switched off', async () => {
    const { run, contributions } = begin(toolNamed('look', { execute: never }))
    const end = run()
    contributions.switchOff()
    expect(await end).to.include({ is_error: true, outcome: 'unknown' })
  })

  it('cuts long texts between characters, and leaves out large images', async () => {
    const content = [
      { type: 'text' as const, text: '😀'.repeat(60_000) },
      { type: 'image' as const, media_type: 'image/png', data: 'A'.repeat(3_000_000) },
    ]
    const result = await begin(toolNamed('look', { execute: async () => ({ content }) })).run()
    expect(textOf(result)).to.include('[cut: 20000 of 120000 characters left out]')
    expect(JSON.stringify(result).length).to.be.below(200_000)
    const shared = await begin(toolNamed('look', { execute: async () => ({ content }) })).run(call(), { calls: 100 })
    expect(textOf(shared).length, 'a share of the turn').to.be.below(9_000)
    expect(textOf(shared)).to.not.match(/[\ud800-\udbff](?![\udc00-\udfff])/)
  })
})

describe('a tool call that was in progress when the service crashed', () => {
  const outcome = async (effect: EffectClass | undefined, probe?: Tool['probe']) => {
    let runs = 0
    const tool = toolNamed('look', {
      ...(effect ? { effect } : {}),
      ...(probe ? { probe } : {}),
      execute: async () => ({ content: [{ type: 'text', text: `ran ${++runs}` }] }),
    })
    const result = await begin(tool).run(call(), { again: true })
    return { runs, result }
  }

  it('runs again if that is harmless', async () => {
    for (const effect of ['read', 'idempotent'] as const) expect((await outcome(effect)).runs, effect).to.equal(1)
  })

  it('is never repeated otherwise, and reports that', async () => {
    for (const effect of [undefined, 'unsafe'] as const) {
      const { runs, result } = await outcome(effect)
      expect(runs).to.equal(0)
      expect(result).to.include({ outcome: 'unknown', is_error: true })
    }
  })

  it('is probed if it is checkable', async () => {
    expect(await outcome('checkable', async () => 'not_done')).to.have.property('runs', 1)
    const done = await outcome('checkable', async () => 'done')
    expect(done.runs).to.equal(0)
    expect(done.result).to.not.have.property('outcome')
    for (const probe of [async () => 'unknown' as const, () => Promise.reject(new Error('gone'))]) {
      const { runs, result } = await outcome('checkable', probe)
      expect(runs).to.equal(0)
      expect(result.outcome).to.equal('unknown')
    }
  })

  it('does not wait forever for a probe', async () => {
    const controller = new AbortController()
    const { run } = begin(toolNamed('look', { effect: 'checkable', probe: never }))
    const reason = new Error('cancelled')
    const end = run(call(), { again: true, signal: controller.signal }).catch((error: unknown) => error)
    controller.abort(reason)
    expect(await end).to.equal(reason)
  })

  it('is unknown if the tool is missing', async () => {
    expect(await begin().run(call(), { again: true })).to.include({ outcome: 'unknown' })
  })
})

const place = { run: { id: 'r', chat_id: 'c', user_id: 'u' }, agent: mayCall('look') }

describe('the properties of tools', () => {
  it('only reading tools run in parallel, unless they state otherwise', () => {
    const { runner } = begin(toolNamed('look', { effect: 'read' }), toolNamed('send'), toolNamed('both', { parallel: true }))
    expect(runner.mayRunTogether(mayCall(), ['look', 'both', 'absent'])).to.equal(true)
    expect(runner.mayRunTogether(mayCall(), ['look', 'send'])).to.equal(false)
    expect(runner.effectOf(mayCall(), 'absent')).to.equal('unsafe')
  })

  it('every call has a purpose, even of a tool that describes none', async () => {
    const { runner } = begin(toolNamed('look'), toolNamed('see', { purpose: ({ at }) => `See ${String(at)}` }))
    expect(await runner.purpose(call(), place)).to.equal('Tool look')
    expect(await runner.purpose(call({ name: 'see', arguments: { at: 'it' } }), place)).to.equal('See it')
    expect(await runner.purpose(call({ name: 'absent' }), place)).to.equal('absent')
  })
})

describe('the files that a tool call has made', () => {
  const files = {
    folder: () => ({
      read: async (path: string) => ({
        path,
        name: path,
        kind: 'file',
        size: 1,
        modifiedAt: 0,
        etag: '"1"',
        bytes: new Uint8Array([120]),
      }),
    }),
  } as unknown as Pick<UserFiles, 'folder'>
  const outcomeOf = async (execute: Tool['execute'], options: Partial<ToolRunOptions> = {}) => {
    const log = createRecordingLogger()
    const agentTools = createFakeAgentTools(createFakeTools([toolNamed('look', { execute })]))
    const runner = createToolRunner({ agentTools, log, madeFiles: createMadeFiles({ files, log }) })
    const defaults = { agent: mayCall('look'), calls: 1, again: false, signal: new AbortController().signal }
    const { part, files: made } = await runner.run(call(), context, { ...defaults, ...options })
    return { part, paths: made.map(({ path }) => path) }
  }
  const named =
    (...paths: readonly string[]) =>
    async () => ({ content: [], files: paths.map((path) => ({ path })) })

  it('names them beside the result, not in it', async () => {
    const { part, paths } = await outcomeOf(named('a.txt'))
    expect(paths).to.deep.equal(['workspaces/a/a.txt'])
    expect(part).to.not.have.property('files')
  })

  it('checks the paths itself: what tools of sources return, nobody has looked at', async () => {
    for (const path of ['../neighbour/secret.txt', '/etc/hostname', 'a/./b.txt', ''])
      expect((await outcomeOf(named('a.txt', path))).paths, path).to.deep.equal([])
    expect((await outcomeOf(async () => ({ content: [], files: 'a.txt' as never }))).paths).to.deep.equal([])
  })

  it('leaves out those whose names hooks mask, and all of a result that is withheld', async () => {
    const masked = (content: readonly ToolContent[]) =>
      content.map((part) => (part.type === 'text' ? { ...part, text: part.text.replace('hunter2', '[secret]') } : part))
    const mask = { result: async (content: readonly ToolContent[]) => masked(content) } as unknown as CallMask
    expect((await outcomeOf(named('a.txt', 'hunter2.txt'), { mask })).paths).to.deep.equal(['workspaces/a/a.txt'])
    const withholding = { result: async () => ({ withheld: 'withheld' }) } as unknown as CallMask
    expect((await outcomeOf(named('a.txt'), { mask: withholding })).paths).to.deep.equal([])
  })

  it('names none of a tool that failed, and those of a result that is an error', async () => {
    const broken = await outcomeOf(async () => Promise.reject(new Error('broken')))
    expect(broken.paths).to.deep.equal([])
    const failed = await outcomeOf(async () => ({ ...(await named('a.txt')()), isError: true }))
    expect([failed.part.is_error, failed.paths]).to.deep.equal([true, ['workspaces/a/a.txt']])
  })
})
