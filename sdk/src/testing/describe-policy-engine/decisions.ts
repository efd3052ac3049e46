import { strict as assert } from 'node:assert'
import type { EngineDecision, EngineQuestion, PolicyText } from '../../contracts/policy-engine/policy-engine.js'
import type { SuiteRunner } from '../suite-runner.js'
import { allowedOf, decided, filesWith, load, loaded, permitOnly, rehearsed } from './engine-calls.js'
import type { PolicyEngineSuiteOptions } from './suite-options.js'

/** What a set decides. A rehearsal of it decides the same. */
export const createDecider =
  ({ create, example: { files, questions } }: PolicyEngineSuiteOptions) =>
  async (stored: readonly PolicyText[], asked: readonly EngineQuestion[] = questions): Promise<readonly EngineDecision[]> => {
    const engine = await create()
    const rehearsal = await rehearsed(engine, files, stored, asked)
    await loaded(engine, 1, files, stored)
    const decisions = await decided(engine, 1, asked)
    assert.deepEqual(rehearsal.decisions, decisions, 'a rehearsal of the set decides differently')
    return decisions
  }

/** What policies decide. */
export function describeDecisions(options: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const { create, example } = options
  const { files, questions, permit, forbid, permitFirst, failing } = example
  const [first, second] = questions
  const decidedBy = createDecider(options)

  runner.it('denies what no policy permits', async () => {
    for (const decision of await decidedBy([])) assert.deepEqual(decision, { allowed: false, policyIds: [], errors: [] })
  })

  runner.it('permits what a policy permits, and returns its id', async () => {
    for (const decision of await decidedBy(permitOnly(example)))
      assert.deepEqual(decision, { allowed: true, policyIds: ['suite-permit'], errors: [] })
  })

  runner.it('lets forbid win over every permit, whichever is older', async () => {
    const both = [
      { id: 'suite-permit', text: permit },
      { id: 'suite-forbid', text: forbid },
    ]
    for (const stored of [both, [...both].reverse()])
      for (const { allowed, policyIds } of await decidedBy(stored)) assert.deepEqual([allowed, policyIds], [false, ['suite-forbid']])
  })

  for (const [effect, text] of Object.entries({ permit, forbid }))
    runner.it(`names every policy that determined a decision, sorted: ${effect}`, async () => {
      const stored = ['suite-two', 'suite-three', 'suite-one'].map((id) => ({ id, text }))
      for (const { policyIds } of await decidedBy(stored)) assert.deepEqual(policyIds, ['suite-one', 'suite-three', 'suite-two'])
    })

  runner.it('keeps apart policies whose ids differ in case alone', async () => {
    const stored = ['suite-permit', 'Suite-Permit'].map((id) => ({ id, text: permit }))
    for (const { policyIds } of await decidedBy(stored)) assert.deepEqual(new Set(policyIds), new Set(['suite-permit', 'Suite-Permit']))
  })

  runner.it('decides each question of a list, in order', async () => {
    const stored = [{ id: 'suite-first', text: permitFirst }]
    assert.deepEqual(allowedOf(await decidedBy(stored, [second, first, second])), [false, true, false])
    assert.deepEqual(await decidedBy(stored, []), [])
  })

  runner.it('decides each of several calls at the same time by its own questions', async () => {
    const engine = await create()
    await loaded(engine, 1, files, [{ id: 'suite-first', text: permitFirst }])
    const asked = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? [first] : [second, second]))
    const answers = await Promise.all(asked.map((list) => decided(engine, 1, list)))
    assert.deepEqual(
      answers.map(allowedOf),
      asked.map((list) => list.map((question) => question === first)),
    )
  })

  runner.it('reports whether a decision depends on the user', async () => {
    const engine = await create()
    const naming = [{ id: 'suite-first', text: permitFirst }]
    for (const [version, stored] of [permitOnly(example), naming, [...naming, ...permitOnly(example)]].entries()) {
      const { dependsOnUserIds } = await loaded(engine, version, files, stored)
      if (version === 0) assert.equal(typeof dependsOnUserIds, 'boolean')
      else assert.equal(dependsOnUserIds, true, 'a policy names a user, and dependsOnUserIds is false')
    }
    // A language whose files are written otherwise may refuse this one.
    const { permitFile } = example
    const text = permitFile.text.includes(permit) ? permitFile.text.replace(permit, permitFirst) : permitFirst
    const file = await load(engine, 4, filesWith(example, { ...permitFile, text }), [])
    if (file.outcome === 'refused') return
    assert.deepEqual(allowedOf(await decided(engine, 4, questions)), [true, false])
    assert.equal(file.dependsOnUserIds, true, 'a policy of a file names a user, and dependsOnUserIds is false')
  })

  if (failing === undefined) return
  runner.it('denies what a policy fails on, although another permits it, and names the policy in the error', async () => {
    const stored = [...permitOnly(example), { id: 'suite-failing', text: failing }]
    for (const { allowed, errors } of await decidedBy(stored)) {
      assert.equal(allowed, false, 'it is permitted')
      assert.deepEqual(
        errors.map(({ policyId }) => policyId),
        ['suite-failing'],
      )
      assert.ok(errors[0]?.message.trim() !== '', 'the error has no message')
    }
  })
}
