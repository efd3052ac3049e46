import { strict as assert } from 'node:assert'
import type { SuiteRunner } from '../suite-runner.js'
import { allowedOf, assertProblems, decided, loaded, permitOnly, running } from './engine-calls.js'
import type { PolicyEngineSuiteOptions } from './suite-options.js'

/** The check of one policy that is about to be stored. */
export function describeChecks({ create, example }: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const { files, permit, forbid, bad } = example
  for (const [effect, text] of Object.entries({ permit, forbid }))
    runner.it(`accepts a valid policy: ${effect}`, async () => {
      const found = await (await create()).check(structuredClone({ files, text }), running())
      assert.ok(found.outcome === 'sound', 'it was refused')
      assert.equal(found.effect, effect)
      assert.ok(Array.isArray(found.warnings), 'the list of warnings is missing')
    })

  for (const [what, text] of Object.entries({ 'an invalid policy': bad, 'two policies': `${permit}\n${forbid}`, 'an empty text': '' }))
    runner.it(`refuses ${what}, and reports ${what === 'two policies' ? 'their' : 'its'} position`, async () => {
      const found = await (await create()).check(structuredClone({ files, text }), running())
      assert.ok(found.outcome === 'refused', 'it was accepted')
      assertProblems(found.problems)
    })

  runner.it('checks a policy without deciding by it', async () => {
    const engine = await create()
    await loaded(engine, 1, files, permitOnly(example))
    await engine.check(structuredClone({ files, text: forbid }), running())
    assert.deepEqual(allowedOf(await decided(engine, 1, example.questions)), [true, true])
  })
}
