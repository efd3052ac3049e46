import { strict as assert } from 'node:assert'
import type { ToolResult } from '../../contracts/tool/tool.js'
import type { JsonValue } from '../../core/json.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { assertContent } from '../describe-tool/assert-content.js'
import { pass } from '../event-loop-turns.js'
import { givenInput } from '../unchecked-rules.js'
import { assertPlainData } from '../within-limit.js'
import { signalOfNone, type ToolSourceSuite } from './source-bench.js'
import type { ToolSourceExample } from './suite-options.js'

const absentTool = 'a tool that never was'

/** Rules for one call. */
export function describeCall({ runner, using, call, contextOf, secrets, limitMs }: ToolSourceSuite, example: ToolSourceExample): void {
  const { title, tool } = example
  runner.it(`answers: ${title}`, () =>
    using(async (under) => {
      const shown: unknown[] = []
      const show = async (what: unknown): Promise<void> => void shown.push(what)
      const result = await call(under, example, { progress: show, output: show })
      assertReadable(result)
      assert.equal(result.isError ?? false, example.isError ?? false)
      secrets.assertNone(result, 'the result')
      secrets.assertNone(shown, 'what the call shows meanwhile')
      example.check?.(result)
    }),
  )
  runner.it(`answers with plain data, and does not change its input: ${title}`, () =>
    using(async ({ source }) => {
      const input = structuredClone(example.input)
      assertPlainData(await source.execute(tool, input, contextOf()), 'the result')
      assert.deepEqual(input, example.input)
    }),
  )
  runner.it(`ends when it is aborted: ${title}`, async () => {
    for (const moment of momentsOfAbort)
      await using((under) => abortAt(moment, (signal) => call(under, example, { signal }), { limitMs, what: 'the call' }))
  })
}

/** Fails for a result that no model can read. A success may have nothing to say, an error says why. */
function assertReadable({ content, isError = false }: ToolResult): void {
  assert.ok(content.length > 0 || !isError, 'the error does not say why')
  for (const [index, part] of content.entries()) assertContent(part, `content ${index} of the result`)
}

/** Rules for a call beside others, and after its result. */
export function describeCallBeside({ runner, using, call, listOf, examples }: ToolSourceSuite, example: ToolSourceExample): void {
  const { title } = example
  runner.it(`does not change a result that it has returned: ${title}`, () =>
    using(async (under) => {
      const result = await call(under, example)
      const copy = structuredClone(result)
      for (const [index, other] of examples.entries()) await call(under, other, { callId: `call-after-${index}` })
      await pass()
      assert.deepEqual(result, copy, 'a later call changed the result of an earlier one')
    }),
  )
  runner.it(`shows and reports nothing after its result: ${title}`, () =>
    using(async (under) => {
      const said: string[] = []
      let isOver = false
      const say = async (what: string): Promise<void> => void (isOver && said.push(what))
      await call(under, example, { progress: () => say('progress'), output: () => say('output') })
      isOver = true
      await pass()
      assert.deepEqual(said, [], 'it went on after its result: await what is not done yet')
    }),
  )
  runner.it(`answers each of several calls at once as if it were alone, if its tool reads: ${title}`, () =>
    using(async (under) => {
      const readers = (await listOf(under)).filter(({ effect, parallel = true }) => effect === 'read' && parallel)
      const reading = new Set(readers.map(({ name }) => name))
      if (!reading.has(example.tool)) return
      const calls = [example, ...examples.filter(({ tool }) => reading.has(tool))]
      const results = await Promise.all(calls.map((each, index) => call(under, each, { callId: `call-beside-${index}` })))
      for (const [index, each] of calls.entries()) {
        const result = results[index]
        assert.equal(result?.isError ?? false, each.isError ?? false, `“${each.title}” beside others`)
        if (result) each.check?.(result)
      }
    }),
  )
}

/** Rules for calls that nothing should come of. */
export function describeOddCalls({ runner, using, call, listOf, stranger, examples, owner }: ToolSourceSuite): void {
  runner.it('answers a stranger who calls a tool of the owner with an error', () =>
    using(async (under) => {
      if (stranger === undefined) return
      for (const example of examples) {
        // What a source throws, the model does not read.
        const result: ToolResult | undefined = await call(under, example, { ...stranger, callId: 'call-of-a-stranger' }).catch(
          () => undefined,
        )
        if (result !== undefined) assert.equal(result.isError, true, `“${example.tool}” of the owner answered a stranger`)
      }
    }),
  )
  runner.it('returns an error for an unknown tool', () =>
    using(async (under) => {
      for (const input of [{}, ...examples.map((example) => example.input)]) {
        const result = await call(under, { tool: absentTool, input })
        assert.equal(result.isError, true, 'the result is not an error')
        assertReadable(result)
      }
    }),
  )
  runner.it('does nothing for a stranger, nor for a call of an unknown tool', () =>
    using(async (under) => {
      const state = givenInput(under.state)
      if (state === undefined) return
      for (const example of examples) {
        const before: JsonValue = structuredClone(await state())
        if (stranger) await call(under, example, { ...stranger, callId: 'call-of-a-stranger' }).catch(() => undefined)
        await pass()
        assert.deepEqual(await state(), before, `a stranger’s call of “${example.tool}” changed something`)
        await call(under, { ...example, tool: absentTool }).catch(() => undefined)
        await pass()
        assert.deepEqual(await state(), before, 'a call of an unknown tool changed something')
      }
    }),
  )
  runner.it('can probe an unknown call, if it supports probe', () =>
    using(async (under) => {
      const { source } = under
      if (!source.probe) return
      for (const { name } of (await listOf(under)).filter(({ effect }) => effect === 'checkable')) {
        const answer = await source.probe(name, 'a-call-that-never-was', { owner, signal: signalOfNone() })
        assert.ok(answer === 'not_done' || answer === 'unknown', `it returned “${answer}” for an unknown call`)
      }
    }),
  )
}
