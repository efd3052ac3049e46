import { strict as assert } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import type { SourceTool } from '../../contracts/tool-source/tool-source.js'
import type { JsonValue } from '../../core/json.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { pass } from '../event-loop-turns.js'
import { givenInput } from '../unchecked-rules.js'
import { signalOfNone, type ToolSourceSuite } from './source-bench.js'
import type { ToolSourceExample, ToolSourceUnderTest } from './suite-options.js'

/** What nothing checks of a tool with this effect while the suite cannot see its state. */
const rulesOfState = (effect: SourceTool['effect']): readonly string[] => [
  ...(effect === 'read' ? ['a tool that reads changes nothing'] : ['calls at once lose nothing of each other']),
  ...(effect === 'idempotent' ? ['a repeated idempotent call has its effect once'] : []),
  'an aborted call changes nothing after its end',
]

/** Tools that say that they change something have to, by at least one of their examples. */
export function describeChangingTools(suite: ToolSourceSuite): void {
  const { runner, using, call, examples } = suite
  runner.it('changes something by an example of each tool that declares to', async () => {
    for (const tool of new Set(examples.filter(({ isError }) => !isError).map((example) => example.tool)))
      await using(async (under) => {
        const state = givenInput(under.state)
        const [example, ...others] = examples.filter((each) => each.tool === tool && !each.isError)
        if (state === undefined || example === undefined) return
        const effect = await effectOf(suite, under, example)
        if (effect === undefined || effect === 'read') return
        const before = structuredClone(await state())
        for (const [index, each] of [example, ...others].entries()) await call(under, each, { callId: `call-${index}` })
        assert.ok(
          !isDeepStrictEqual(await state(), before),
          `the effect of “${tool}” is “${effect}”, and no example of it changed the state; give one that does, or show in “state” what it changes`,
        )
      })
  })
}

/** Rules for what a call changes, by the effect that its tool declares. */
export function describeEffects(suite: ToolSourceSuite, example: ToolSourceExample): void {
  const { runner, using, unchecked, call } = suite
  const { title } = example
  const withState = (
    what: string,
    test: (
      under: ToolSourceUnderTest & { readonly state: () => JsonValue | Promise<JsonValue> },
      effect: SourceTool['effect'],
    ) => Promise<void>,
  ): void =>
    runner.it(`${what}: ${title}`, () =>
      using(async (under) => {
        const effect = await effectOf(suite, under, example)
        const state = givenInput(under.state)
        if (under.state === undefined) unchecked.without('state', ...rulesOfState(effect))
        if (state) await test({ source: under.source, state }, effect)
      }),
    )

  withState('changes nothing by reading, and once by an idempotent call that is repeated', async (under, effect) => {
    if (effect !== 'read' && effect !== 'idempotent') return
    const before = structuredClone(await under.state())
    await call(under, example, { callId: 'call-repeated' })
    await pass()
    const once = structuredClone(await under.state())
    if (effect === 'read') assert.deepEqual(once, before, 'the effect is “read”, and the call changed something')
    await call(under, example, { callId: 'call-repeated' })
    await pass()
    assert.deepEqual(await under.state(), once, 'the second call with the same call id changed something again')
  })
  withState('shares no data with another source, as its state needs', (under) =>
    using(async (other) => {
      const before = structuredClone(await under.state())
      await call(other, example, { callId: 'call-alone' })
      assert.deepEqual(await under.state(), before, 'create makes sources that share data, so that their states cannot be compared')
    }),
  )
  withState('loses nothing of calls at once', (together) =>
    using(async (ordered) => {
      const ids = ['call-1', 'call-2']
      for (const callId of ids) await call(ordered, example, { callId })
      const results = await Promise.all(ids.map((callId) => call(together, example, { callId })))
      const wanted = await givenInput(ordered.state)?.()
      // A call may be refused while another one is at it; then it must not have changed anything.
      if (isDeepStrictEqual(await together.state(), wanted) || !results.some(({ isError }) => isError)) {
        assert.deepEqual(await together.state(), wanted, 'two calls at once changed something else than one after the other')
        return
      }
      await using(async (plain) => {
        const done = ids.slice(0, results.filter(({ isError }) => !isError).length)
        for (const callId of done) await call(plain, example, { callId })
        const wantedOfDone = await givenInput(plain.state)?.()
        assert.deepEqual(
          await together.state(),
          wantedOfDone,
          `two calls at once changed something else than the ${done.length} that succeeded`,
        )
      })
    }),
  )
  describeAborts(suite, example)
  describeProbe(suite, example)
}

const effectOf = async (
  { listOf }: ToolSourceSuite,
  under: ToolSourceUnderTest,
  { tool }: ToolSourceExample,
): Promise<SourceTool['effect']> => (await listOf(under)).find(({ name }) => name === tool)?.effect

function describeAborts(suite: ToolSourceSuite, example: ToolSourceExample): void {
  const { runner, using, call, limitMs } = suite
  runner.it(`changes nothing after the end of an aborted call, and once by its repetition: ${example.title}`, async () => {
    for (const moment of momentsOfAbort)
      await using(async (under) => {
        const state = givenInput(under.state)
        if (state === undefined) return
        const callId = 'call-aborted'
        await abortAt(moment, (signal) => call(under, example, { callId, signal }), { limitMs, what: 'the call' })
        const atEnd = structuredClone(await state())
        await pass()
        assert.deepEqual(await state(), atEnd, `a call aborted ${moment} changed something after its end`)
        if ((await effectOf(suite, under, example)) !== 'idempotent') return
        await call(under, example, { callId })
        await using(async (plain) => {
          await call(plain, example, { callId })
          const wanted = await givenInput(plain.state)?.()
          assert.deepEqual(await state(), wanted, `a call aborted ${moment} and its repetition had not one effect`)
        })
      })
  })
}

function describeProbe(suite: ToolSourceSuite, example: ToolSourceExample): void {
  const { runner, using, call, owner } = suite
  runner.it(`probes what has had its effect, if its tool is checkable: ${example.title}`, () =>
    using(async (under) => {
      if (!under.source.probe || (await effectOf(suite, under, example)) !== 'checkable') return
      const state = givenInput(under.state)
      const before = structuredClone(await state?.())
      const { isError = false } = await call(under, example, { callId: 'call-probed' })
      const hasChanged = state ? !isDeepStrictEqual(await state(), before) : under.state === undefined && !isError
      const answer = await under.source.probe(example.tool, 'call-probed', { owner, signal: signalOfNone() })
      assert.ok(['done', 'not_done', 'unknown'].includes(answer), `it returned “${answer}”; expected done, not_done or unknown`)
      if (hasChanged) assert.notEqual(answer, 'not_done', 'the call has had its effect, and would be made again')
    }),
  )
}
