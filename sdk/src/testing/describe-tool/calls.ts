import { strict as assert } from 'node:assert'
import type { Tool, ToolContent, ToolContext, ToolResult } from '../../contracts/tool/tool.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { pass } from '../event-loop-turns.js'
import { assertMembers } from '../settle-within.js'
import { isOneLine } from '../within-limit.js'
import { assertContent, isObject } from './assert-content.js'
import { callTool } from './call-tool.js'
import type { ToolExample, ToolSuite } from './suite-options.js'

/** Rules for one call and its result. */
export function describeCalls({ create, runner, options }: ToolSuite, example: ToolExample): void {
  const { examples, abortLimitMs = 2_000 } = options
  const call = (tool: Tool, { input }: ToolExample, changes: Partial<ToolContext> = {}): Promise<ToolResult> =>
    callTool(options, tool, { input: structuredClone(input) }, changes)
  runner.it(`answers: ${example.title}`, async () => assertAnswer(await call(create(), example), example))
  runner.it(`answers with plain data: ${example.title}`, async () => {
    const result = await call(create(), example)
    assert.deepEqual(JSON.parse(JSON.stringify(result)), result)
  })
  runner.it(`answers with content of known types: ${example.title}`, async () => {
    const result = await call(create(), example)
    assertMembers(result, ['content', 'isError', 'files'], 'the result')
    for (const [index, content] of result.content.entries()) assertContent(content, `content ${index}`)
  })
  runner.it(`does not change its input: ${example.title}`, async () => {
    const input = structuredClone(example.input)
    await callTool(options, create(), { ...example, input })
    await pass()
    assert.deepEqual(input, example.input)
  })
  runner.it(`does not change a result that it has returned: ${example.title}`, async () => {
    const tool = create()
    const result = await call(tool, example, { callId: 'call-kept' })
    const kept = structuredClone(result)
    for (const [index, other] of examples.entries()) await call(tool, other, { callId: `call-after-${index}` })
    await pass()
    assert.deepEqual(result, kept, 'a later call changed the result of an earlier one')
  })
  runner.it(`shows and reports nothing after its result: ${example.title}`, async () => {
    const said: string[] = []
    let isOver = false
    const say = async (what: string): Promise<void> => void (isOver && said.push(what))
    await call(create(), example, { progress: () => say('progress'), output: () => say('output') })
    isOver = true
    await pass()
    assert.deepEqual(said, [], 'it went on after its result: await what is not done yet')
  })
  runner.it(`reports progress in single lines, from 0 to 1: ${example.title}`, async () => {
    const reports: unknown[] = []
    const pieces: unknown[] = []
    await call(create(), example, {
      progress: async (update) => void reports.push(update),
      output: async (text) => void pieces.push(text),
    })
    for (const report of reports) assertProgress(report)
    for (const piece of pieces) assert.equal(typeof piece, 'string', 'it showed an output that is no text')
  })
  runner.it(`answers each of several calls at once as if it were alone, if it is parallel: ${example.title}`, async () => {
    const tool = create()
    const { effect, parallel = effect === 'read' } = tool
    if (!parallel) return
    // What changes something may well refuse the same call a second time.
    const calls = effect === 'read' ? [example, ...examples] : examples
    const results = await Promise.all(calls.map((each, index) => call(tool, each, { callId: `call-beside-${index}` })))
    for (const [index, each] of calls.entries()) assertAnswer(results[index] ?? { content: [] }, each)
  })
  runner.it(`ends when it is aborted: ${example.title}`, async () => {
    for (const moment of momentsOfAbort) {
      const callId = `call-aborted-${moment}`
      await abortAt(moment, (signal) => call(create(), example, { callId, signal }), { limitMs: abortLimitMs, what: 'the call' })
    }
  })
}

/** Rules for `probe`. */
export function describeProbe({ create, runner, options: { abortLimitMs = 2_000 } }: ToolSuite): void {
  runner.it('ends a probe that is aborted, if it supports probe', async () => {
    for (const moment of momentsOfAbort) {
      const tool = create()
      if (!tool.probe) return
      await abortAt(moment, async (signal) => tool.probe?.('a-call-that-never-was', { signal }), {
        limitMs: abortLimitMs,
        what: 'the probe',
      })
    }
  })
  runner.it('can probe an unknown call, if it supports probe', async () => {
    const tool = create()
    if (!tool.probe) return
    const answer = await tool.probe('a-call-that-never-was', { signal: new AbortController().signal })
    assert.ok(answer === 'not_done' || answer === 'unknown', `it returned “${answer}” for an unknown call`)
  })
}

function assertProgress(report: unknown): void {
  assert.ok(isObject(report), 'it reported a progress that is no object')
  assertMembers(report, ['message', 'fraction'], 'the progress')
  const { message, fraction = 0 } = report
  assert.ok(isOneLine(message), `it reported the progress “${String(message)}”; expected one line`)
  assert.ok(typeof fraction === 'number' && fraction >= 0 && fraction <= 1, `it reported the fraction ${String(fraction)}; expected 0 to 1`)
}

function assertAnswer(result: ToolResult, { isError = false, check }: ToolExample): void {
  assert.equal(result.isError ?? false, isError)
  if (isError) assert.ok(result.content.some(hasWords), 'the error does not say why')
  check?.(result)
}

const hasWords = (content: ToolContent): boolean => content.type !== 'text' || String(content.text).trim() !== ''
