import { strict as assert } from 'node:assert'
import type { PolicyEngine } from '../../contracts/policy-engine/policy-engine.js'
import type { SuiteRunner } from '../suite-runner.js'
import { assertPlainData, endsWithin } from '../within-limit.js'
import { decided, loaded, permitOnly, running } from './engine-calls.js'
import type { PolicyEngineSuiteOptions } from './suite-options.js'

/** What holds for every call. */
export function describeCalls({ create, example, abortLimitMs = 2_000 }: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const sources = { files: example.files, stored: permitOnly(example) }
  const { questions, permit: text } = example
  const calls: Readonly<Record<string, (engine: PolicyEngine, signal: AbortSignal) => Called>> = {
    load: (engine, signal) => called({ version: 1, sources }, (given) => engine.load(given, { signal })),
    decide: (engine, signal) => called({ version: 1, questions }, (given) => engine.decide(given, { signal })),
    rehearse: (engine, signal) => called({ sources, questions }, (given) => engine.rehearse(given, { signal })),
    check: (engine, signal) => called({ files: example.files, text }, (given) => engine.check(given, { signal })),
  }
  for (const [name, call] of Object.entries(calls)) {
    runner.it(`answers with plain data, and does not change its input: ${name}`, async () => {
      const engine = await create()
      await loaded(engine, 1, example.files, permitOnly(example))
      const { before, given, answer } = call(engine, running().signal)
      assertPlainData(await answer, 'the answer')
      assert.deepEqual(given, before, 'its input was changed')
    })
    runner.it(`ends when it is aborted: ${name}`, async () => {
      const engine = await create()
      const controller = new AbortController()
      const { answer } = call(engine, controller.signal)
      controller.abort(new Error('stopped'))
      await endsWithin(answer, abortLimitMs, `${name} was still working`)
    })
  }
  runner.it('can be made ready at any time, and again, and then works', async () => {
    const engine = await create()
    await engine.prepare()
    await engine.prepare()
    await loaded(engine, 1, example.files, [])
    await engine.prepare()
    assert.equal((await decided(engine, 1, questions)).length, questions.length)
  })
}

interface Called {
  readonly before: unknown
  /** What the engine was given: equal to what was before, as long as the engine leaves it alone. */
  readonly given: unknown
  readonly answer: Promise<unknown>
}

function called<Given>(request: Given, call: (given: Given) => Promise<unknown>): Called {
  const given = structuredClone(request)
  return { before: structuredClone(request), given, answer: call(given) }
}
