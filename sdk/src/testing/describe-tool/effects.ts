import { strict as assert } from 'node:assert'
import type { Tool, ToolContext, ToolResult } from '../../contracts/tool/tool.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { pass } from '../event-loop-turns.js'
import { callTool } from './call-tool.js'
import type { ToolExample, ToolSuite } from './suite-options.js'

/** What nothing checks of a tool with this effect while the suite cannot see its state. */
const rulesOfState = ({ effect = 'unsafe', probe }: Tool): readonly string[] => [
  ...(effect === 'read'
    ? ['a tool that reads changes nothing']
    : ['a call has had its effect when it answers', 'calls at once lose nothing of each other']),
  ...(effect === 'idempotent' ? ['an idempotent call that is repeated has its effect once'] : []),
  ...(probe === undefined ? [] : ['probe tells the truth about an aborted call']),
  'an aborted call changes nothing after its end',
]

const calm = (): AbortSignal => new AbortController().signal

/** Rules for what a call changes, and for what its repetition changes. */
export function describeEffects(suite: ToolSuite, example: ToolExample): void {
  const { runner, create, stateOf, hasState, isAboutState, unchecked } = suite
  const limitMs = suite.options.abortLimitMs ?? 2_000
  const call = callsOf(suite, example)

  runner.it(`changes nothing, if it reads: ${example.title}`, async () => {
    const tool = create()
    if (!isAboutState(tool)) unchecked.without('state', ...rulesOfState(tool))
    if (tool.effect !== 'read') return
    const before = await stateOf(tool)
    await call(tool, { callId: 'call-read' })
    await pass()
    assert.deepEqual(await stateOf(tool), before, 'the effect is “read”, and the call changed something')
  })
  runner.it(`has its effect once when a call is repeated, if it is idempotent: ${example.title}`, async () => {
    const tool = create()
    if (tool.effect !== 'idempotent') return
    const first = await call(tool, { callId: 'call-repeated' })
    const once = await stateOf(tool)
    const second = await call(tool, { callId: 'call-repeated' })
    assert.deepEqual(await stateOf(tool), once, 'the second call with the same call id changed something again')
    assert.equal(second.isError ?? false, first.isError ?? false, 'the second call with the same call id has another outcome')
  })
  runner.it(`has its effect once when an aborted call is repeated, if it is idempotent: ${example.title}`, async () => {
    const plain = create()
    if (plain.effect !== 'idempotent') return
    await call(plain, { callId: 'call-again' })
    for (const moment of momentsOfAbort) {
      const tool = create()
      await abortAt(moment, (signal) => call(tool, { callId: 'call-again', signal }), { limitMs, what: 'the call' })
      await call(tool, { callId: 'call-again' })
      assert.deepEqual(await stateOf(tool), await stateOf(plain), `a call aborted ${moment} and its repetition had not one effect`)
    }
  })
  runner.it(`probes what has had its effect, if it supports probe: ${example.title}`, async () => {
    const tool = create()
    if (!tool.probe) return
    const before = await stateOf(tool)
    const { isError = false } = await call(tool, { callId: 'call-probed' })
    const changed = hasState(tool) ? !isSame(await stateOf(tool), before) : !isError
    const answer = await tool.probe('call-probed', { signal: calm() })
    assert.ok(['done', 'not_done', 'unknown'].includes(answer), `it returned “${answer}”; expected done, not_done or unknown`)
    if (changed) assert.notEqual(answer, 'not_done', 'the call has had its effect, and would be made again')
  })
  describeWithState(suite, example)
}

/** Rules that can be checked only with the state of the tool. */
function describeWithState(suite: ToolSuite, example: ToolExample): void {
  const { create, stateOf } = suite
  const limitMs = suite.options.abortLimitMs ?? 2_000
  const call = callsOf(suite, example)
  const withState = (title: string, test: () => Promise<void>): void =>
    suite.runner.it(`${title}: ${example.title}`, async () => {
      if (suite.hasState(create())) await test()
    })

  withState('shares no data with another tool, as its state needs', async () => {
    const [one, other] = [create(), create()]
    const before = await stateOf(other)
    await call(one, { callId: 'call-alone' })
    assert.deepEqual(await stateOf(other), before, 'create makes tools that share data, so that their states cannot be compared')
  })
  withState('has had its effect when it answers', async () => {
    const tool = create()
    await call(tool, { callId: 'call-awaited' })
    const atEnd = await stateOf(tool)
    if (example.after !== undefined) assert.deepEqual(atEnd, example.after, 'the state after the call is not what “after” says')
    await pass()
    assert.deepEqual(
      await stateOf(tool),
      atEnd,
      'the call went on after its answer: await what is not done yet, or store that it is to be done',
    )
  })
  withState('has its own effect in each call', async () => {
    if (example.again === undefined) return
    const tool = create()
    for (const callId of ['call-of-today', 'call-of-tomorrow']) await call(tool, { callId })
    assert.deepEqual(await stateOf(tool), example.again, 'the state after two calls with ids of their own is not what “again” says')
  })
  withState('has its effect once when a call is repeated after a restart, if it is idempotent', async () => {
    const whole = create()
    await call(whole, { callId: 'call-over-restart' })
    for (const moment of ['after its end', ...momentsOfAbort] as const) {
      const tool = create()
      const callId = 'call-over-restart'
      if (moment === 'after its end') await call(tool, { callId })
      else await abortAt(moment, (signal) => call(tool, { callId, signal }), { limitMs, what: 'the call' })
      const restarted = suite.restartedOf(tool)
      if (!restarted) return
      const state = await stateOf(tool)
      const answer = await restarted.probe?.(callId, { signal: calm() })
      if (answer === 'not_done' && !isSame(state, await stateOf(create())))
        assert.fail(`after a restart, probe calls a call not done that ended or was aborted ${moment}, and it changed something`)
      if (restarted.effect !== 'idempotent') continue
      await call(restarted, { callId })
      const what = moment === 'after its end' ? 'a call' : `a call aborted ${moment}`
      assert.deepEqual(await stateOf(tool), await stateOf(whole), `${what} and its repetition after a restart had not one effect`)
    }
  })
  withState('loses nothing of calls at once', async () => {
    const [ordered, together] = [create(), create()]
    for (const callId of ['call-1', 'call-2']) await call(ordered, { callId })
    const results = await Promise.all(['call-1', 'call-2'].map((callId) => call(together, { callId })))
    if (isSame(await stateOf(together), await stateOf(ordered))) return
    const done = results.filter(({ isError }) => isError !== true).length
    if (done === results.length)
      assert.deepEqual(await stateOf(together), await stateOf(ordered), 'two calls at once changed something else than one after the other')
    // A call may be refused while another one is at it; then it must not have changed anything.
    const plain = create()
    for (const callId of ['call-1', 'call-2'].slice(0, done)) await call(plain, { callId })
    assert.deepEqual(
      await stateOf(together),
      await stateOf(plain),
      `two calls at once changed something else than the ${done} that succeeded`,
    )
  })
  withState('changes nothing after the end of an aborted call', async () => {
    for (const moment of momentsOfAbort) {
      const tool = create()
      const callId = 'call-aborted'
      await abortAt(moment, (signal) => call(tool, { callId, signal }), { limitMs, what: 'the call' })
      const atEnd = await stateOf(tool)
      const answer = await tool.probe?.(callId, { signal: calm() })
      await pass()
      assert.deepEqual(await stateOf(tool), atEnd, `a call aborted ${moment} changed something after its end`)
      if (answer === 'not_done')
        assert.deepEqual(atEnd, await stateOf(create()), `probe calls a call aborted ${moment} not done, and it changed something`)
    }
  })
}

const callsOf =
  ({ options }: ToolSuite, { input }: ToolExample) =>
  (tool: Tool, changes: Partial<ToolContext>): Promise<ToolResult> =>
    callTool(options, tool, { input: structuredClone(input) }, changes)

function isSame(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other)
    return true
  } catch {
    return false
  }
}
