import { expect } from 'chai'
import { textOf } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { calls, resultsIn, type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { createSecretSearch } from '../security/support/secret-search.js'
import { type Asker, askerOf, type PointsKernel, startPointsKernel } from './support/points-kernel.js'
import { clearDesk, type Desk } from './support/points-plugin.js'

const secret = 'canary-4711-of-the-tool'
const oneCall =
  (name = 'tool__unsafe') =>
  (request: Script['requests'][number]) =>
    resultsIn(request).length === 0 ? calls(name) : says('Done.')
const hides: NonNullable<Desk['hook']['mask']> = async ({ texts }) => texts.map((text) => text.replaceAll(secret, '[masked]'))

describe('hooks of runs', function () {
  this.timeout(60_000)
  let kernel: PointsKernel
  let ada: Asker
  let desk: Desk
  let script: Script

  before(async () => {
    kernel = await startPointsKernel()
    ada = await askerOf(kernel.agents, 'ada')
  })
  beforeEach(() => {
    desk = clearDesk()
  })
  after(async () => {
    ada?.stream.close()
    await kernel?.close()
  })

  const resultText = () => JSON.stringify(resultsIn(script.requests.at(-1) ?? ({ messages: [] } as never)))
  const finished = (runId: string) =>
    ada.stream.events.find(({ name, data }) => name === 'tool_call.finished' && data['run_id'] === runId)?.data

  it('veto a tool call: it does not run, and the model and the person read why', async () => {
    let ran = 0
    script = setScript({ answer: oneCall(), tool: async () => ({ content: [{ type: 'text', text: `${++ran}` }] }) })
    const seen: unknown[] = []
    desk.hook.beforeToolCall = async (call) => {
      seen.push(structuredClone(call))
      Object.assign(call.arguments, { changed: true })
      return { veto: 'Not on a Sunday.' }
    }
    const { end, runId, chatId, messages } = await ada.ask('Send it')
    expect([end, ran]).to.deep.equal(['run.completed', 0])
    expect(resultText()).to.include('“Guard” vetoed this: Not on a Sunday.').and.to.include('"is_error":true')
    expect(finished(runId)).to.include({ is_error: true })
    expect(JSON.stringify(messages.find(({ role }) => role === 'tool'))).to.include('Not on a Sunday.')
    expect(seen).to.have.length(1)
    expect(seen[0]).to.include({ tool: 'tool__unsafe', chatId, runId, userId: ada.person.userId, agentHandle: 'assistant' })
    expect(messages.flatMap(({ content }) => content).find(({ type }) => type === 'tool_call')?.['arguments']).to.deep.equal({})
  })

  it('veto a model call: the run fails with a code, and the model is not asked', async () => {
    script = setScript()
    desk.hook.beforeModelCall = async ({ turn, messages }) =>
      turn === 0 && messages.length > 0 ? { veto: 'The budget is spent.' } : undefined
    const { end, failure } = await ada.ask('Hello')
    expect(end).to.equal('run.failed')
    expect(failure).to.include({ code: 'model_call_vetoed' })
    expect(failure?.['message']).to.include('“Guard” vetoed this: The budget is spent.')
    expect(script.requests).to.have.length(0)
  })

  it('veto an answer: it is not stored, its tools do not run', async () => {
    let ran = 0
    script = setScript({ answer: oneCall(), tool: async () => ({ content: [{ type: 'text', text: `${++ran}` }] }) })
    desk.hook.afterModelCall = async ({ content, stopReason, model }) =>
      content.some(({ type }) => type === 'tool_call') && stopReason === 'tool_calls' && model !== ''
        ? { veto: 'No tools today.' }
        : undefined
    const { end, failure, messages } = await ada.ask('Send it')
    expect([end, failure?.['code'], ran]).to.deep.equal(['run.failed', 'model_answer_vetoed', 0])
    expect(messages.at(-1)).to.deep.include({ role: 'assistant', status: 'failed', content: [] })
  })

  it('veto a result: it is withheld, and cannot be read later', async () => {
    script = setScript({ answer: oneCall(), tool: async () => ({ content: [{ type: 'text', text: secret.repeat(20_000) }] }) })
    desk.hook.afterToolCall = async ({ content }) => (content.length > 0 ? { veto: 'It is confidential.' } : undefined)
    const { end } = await ada.ask('Look')
    expect(end).to.equal('run.completed')
    expect(resultText()).to.include('its result is withheld. “Guard” vetoed this: It is confidential.').and.not.to.include(secret)
    desk.hook.afterToolCall = undefined as never
    const found = await createSecretSearch(new Map([['result', secret]])).inFolder(kernel.agents.kernel.folder)
    expect(found).to.deep.equal([])
  })

  it('mask the output of a tool before anything else sees it: result, JSON, progress, error, log, store', async () => {
    const kinds = new Map<string, number>()
    desk.hook.mask = async (given, options) => {
      kinds.set(`${given.kind} ${given.tool}`, given.texts.length)
      return hides(given, options)
    }
    const names = ['tool__read', 'tool__idempotent', 'tool__unsafe']
    script = setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls(...names) : says('Done.')),
      tool: async (name, _, context) => {
        await context.progress({ message: `Reading ${secret}` })
        if (name === 'tool__unsafe') throw new Error(`Refused ${secret}`, { cause: new Error(secret) })
        if (name === 'tool__read') return { content: [{ type: 'text', text: `It is ${secret}.${' x'.repeat(120_000)}${secret}` }] }
        return {
          content: [
            { type: 'json', json: { deep: [{ [secret]: { value: `a ${secret}` } }], count: 1 } },
            { type: 'text', text: 'more' },
          ],
        }
      },
    })
    const { end, chatId, runId } = await ada.ask('Look everywhere')
    expect(end).to.equal('run.completed')
    expect(kinds.get('result tool__read')).to.equal(1)
    expect(kinds.get('result tool__idempotent'), 'member names, values and the text at once').to.equal(6)
    expect([...kinds.keys()].filter((kind) => kind.startsWith('progress'))).to.have.length(3)
    expect(kinds.has('error tool__unsafe')).to.equal(true)
    expect(resultText()).to.include('{\\"deep\\":[{\\"[masked]\\":{\\"value\\":\\"a [masked]\\"}}],\\"count\\":1}')
    const delta = await ada.stream.until(({ name, data }) => name === 'tool_call.delta' && data['run_id'] === runId && 'progress' in data)
    expect(JSON.stringify(delta.data)).to.include('Reading [masked]')
    expect(kernel.lines('A tool failed.').at(-1)).to.be.an('object')

    const search = createSecretSearch(new Map([['value', secret]]))
    const seen = {
      events: ada.stream.events,
      log: kernel.agents.kernel.log,
      asked: script.requests,
      messages: await ada.person.messages(chatId),
    }
    for (const [where, what] of Object.entries(seen)) expect(search.inText(where, JSON.stringify(what)), where).to.deep.equal([])
    await kernel.agents.restart(async () => {
      expect(await search.inFolder(kernel.agents.kernel.folder)).to.deep.equal([])
    })
    ada.stream.close()
    ada = await askerOf(kernel.agents, 'ada')
    script = setScript()
    const again = await ada.ask('What was it?', chatId)
    expect(again.end).to.equal('run.completed')
    expect(JSON.stringify(script.requests)).to.include('[masked]').and.not.to.include(secret)
  })

  it('mask the output that a call shows while it runs, in whole lines', async () => {
    desk.hook.mask = hides
    const seen = createGate()
    script = setScript({
      answer: oneCall('tool__read'),
      tool: async (_, __, { output }) => {
        await output(secret.slice(0, 5))
        await output(`${secret.slice(5)}\n${secret}`)
        await seen.opened
        return { content: [{ type: 'text', text: 'done' }] }
      },
    })
    const from = ada.stream.events.length
    const asked = ada.ask('Look')
    const shown = await ada.stream.next(from, ({ data }) => 'output' in data)
    seen.open()
    await asked
    expect(shown.data['output']).to.deep.equal({ offset: 0, text: '[masked]\n' })
    expect(JSON.stringify(ada.stream.events)).not.to.include(secret)
  })

  it('mask pieces of a text in order, so that a value that spans two of them is found', async () => {
    const kept = new Map<string, string>()
    desk.hook.mask = async ({ callId, kind, texts }) => {
      if (kind !== 'progress') return texts
      const before = kept.get(callId) ?? ''
      kept.set(callId, before + texts.join(''))
      return texts.map((text) => ((before + text).includes('4711') ? '[masked]' : text))
    }
    script = setScript({
      answer: oneCall('tool__read'),
      tool: async (_, __, context) => {
        await Promise.all(['a 4', '7', '1', '1 b'].map((message) => context.progress({ message })))
        return { content: [{ type: 'text', text: 'done' }] }
      },
    })
    const { runId } = await ada.ask('Look')
    expect([...kept.values()]).to.deep.equal(['a 4711 b'])
    const shown = ada.stream.events.filter(({ name, data }) => name === 'tool_call.delta' && data['run_id'] === runId)
    expect(JSON.stringify(shown)).not.to.include('1 b')
  })

  it('fail closed before a call and in masks, open after it', async () => {
    let ran = 0
    const tool: Script['tool'] = async () => ({ content: [{ type: 'text', text: `${secret} ${++ran}` }] })
    const breaks = async (): Promise<never> => {
      throw new Error('The guard is asleep.')
    }
    script = setScript({ answer: oneCall(), tool })
    desk.hook = { beforeToolCall: breaks }
    await ada.ask('Send')
    expect(ran).to.equal(0)
    expect(resultText()).to.include('“Guard” must approve this first, but failed.')

    script = setScript({ answer: oneCall(), tool })
    desk.hook = { mask: () => new Promise(() => undefined) }
    await ada.ask('Send')
    expect(ran).to.equal(1)
    expect(resultText()).to.include('withheld: “Guard” could not mask it').and.not.to.include(secret)

    script = setScript()
    desk.hook = { beforeModelCall: async () => ({ veto: 7 }) as never }
    expect((await ada.ask('Hello')).failure).to.include({ code: 'model_call_vetoed' })

    script = setScript({ answer: oneCall(), tool })
    desk.hook = { afterModelCall: breaks, afterToolCall: breaks, runEnded: breaks }
    const { end, messages } = await ada.ask('Send')
    expect([end, ran, textOf(messages.at(-1))]).to.deep.equal(['run.completed', 2, 'Done.'])
    expect(kernel.lines('A run hook failed.').map((line) => line['member'])).to.include.members(['afterModelCall', 'afterToolCall'])
  })

  it('get the end of each run once', async () => {
    const ends: unknown[] = []
    let told: () => void = () => undefined
    const both = new Promise<void>((resolve) => {
      told = resolve
    })
    desk.hook.runEnded = async ({ runId, status, code }) => {
      ends.push([runId, status, code])
      if (ends.length === 2) told()
    }
    script = setScript({
      answer: (request) => (JSON.stringify(request.messages).includes('Break') ? (async function* () {})() : says('Hello.')),
    })
    const good = await ada.ask('Hello')
    const bad = await ada.ask('Break')
    await both
    expect(ends).to.deep.equal([
      [good.runId, 'completed', null],
      [bad.runId, 'failed', bad.failure?.['code']],
    ])
  })
})
