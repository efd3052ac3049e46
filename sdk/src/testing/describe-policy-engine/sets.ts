import { strict as assert } from 'node:assert'
import type { FilePattern, PolicyFile, PolicyText } from '../../contracts/policy-engine/policy-engine.js'
import type { SuiteRunner } from '../suite-runner.js'
import { allowedOf, assertProblems, decide, decided, filesWith, load, loaded, permitOnly, rehearse, rehearsed } from './engine-calls.js'
import type { PolicyEngineSuiteOptions } from './suite-options.js'

/** Sets of policies, of files and of administrators. */
export function describeSets(options: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const { create, example } = options
  const { files, questions, permit, forbid, bad } = example
  const badOnly = [{ id: 'suite-bad', text: bad }]

  runner.it('lists the policies of the files, each with id, text and description', async () => {
    const { shipped } = await loaded(await create(), 1, files, permitOnly(example))
    assert.ok(shipped.length > 0, 'the list is empty')
    assert.equal(new Set(shipped.map(({ id }) => id)).size, shipped.length, 'two policies have the same id')
    assert.ok(!shipped.some(({ id }) => id === 'suite-permit'), 'a stored policy is among them')
    for (const { id, text, effect, description } of shipped) {
      assert.ok(
        [id, text, description].every((part) => typeof part === 'string' && part.trim() !== ''),
        `“${id}” lacks an id, a text or a description`,
      )
      assert.ok(effect === 'permit' || effect === 'forbid', `the effect of “${id}” is ${JSON.stringify(effect)}`)
      assert.ok(
        files.some((file) => file.text.includes(text)),
        `the text of “${id}” is in no file`,
      )
    }
  })

  runner.it('decides by the set that was loaded last, only under its version', async () => {
    const engine = await create()
    assert.equal((await decide(engine, 1, questions)).outcome, 'not_loaded')
    await loaded(engine, 1, files, permitOnly(example))
    await loaded(engine, 2, files, [])
    assert.equal((await decide(engine, 1, questions)).outcome, 'not_loaded')
    assert.deepEqual(allowedOf(await decided(engine, 2, questions)), [false, false])
  })

  runner.it('decides under each version by its own set, also while another one is loaded', async () => {
    const engine = await create()
    const sets = [permitOnly(example), [], [{ id: 'suite-first', text: example.permitFirst }]]
    const expected = [
      [true, true],
      [false, false],
      [true, false],
    ]
    const decideUntil = async (work: Promise<unknown>): Promise<void> => {
      const ended = work.then(() => true)
      for (let isOver = false; !isOver; ) {
        const answers = await Promise.all(sets.map((_, version) => decide(engine, version, questions)))
        for (const [version, answer] of answers.entries())
          if (answer.outcome === 'decided')
            assert.deepEqual(allowedOf(answer.decisions), expected[version], `version ${version} decides by another set`)
        isOver = await Promise.race([ended, new Promise<false>((resolve) => setImmediate(resolve, false))])
      }
    }
    for (const [version, stored] of sets.entries()) await decideUntil(load(engine, version, files, stored))
    await decideUntil(Promise.all(sets.map((stored, version) => load(engine, version, files, stored))))
  })

  runner.it('refuses a set with an invalid policy, reports its position, and keeps the previous set', async () => {
    const engine = await create()
    await loaded(engine, 1, files, permitOnly(example))
    const answer = await load(engine, 2, files, badOnly)
    assert.ok(answer.outcome === 'refused', 'it was loaded')
    assertProblems(answer.problems)
    assert.deepEqual([...new Set(answer.problems.map(({ where }) => where))], ['suite-bad'])
    assert.equal((await decide(engine, 2, questions)).outcome, 'not_loaded')
    assert.deepEqual(allowedOf(await decided(engine, 1, questions)), [true, true])
  })

  runner.it('decides by a stored policy as it is now, when its text changed under its id', async () => {
    const engine = await create()
    for (const [index, text] of [permit, forbid, permit].entries()) {
      await loaded(engine, index + 1, files, [{ id: 'suite-permit', text }])
      const isAllowed = text === permit
      assert.deepEqual(allowedOf(await decided(engine, index + 1, questions)), [isAllowed, isAllowed])
    }
  })

  describeFiles(options, runner)
  describeRehearsals(options, runner)
}

function describeFiles({ create, example }: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const { files, questions, permit, forbid, bad, permitFile, forbidFile } = example
  /** The decisions, and the ids of the policies that only the further file has. */
  const decidedWith = async (file: PolicyFile, stored: readonly PolicyText[]) => {
    const engine = await create()
    const before = (await loaded(engine, 1, files, stored)).shipped.map(({ id }) => id)
    const { shipped } = await loaded(engine, 2, filesWith(example, file), stored)
    const further = shipped.filter(({ id }) => !before.includes(id))
    assert.equal(further.length, 1, `the list has ${further.length} policies of the file ${file.name}; expected one`)
    return { engine, policy: further[0], decisions: await decided(engine, 2, questions) }
  }

  runner.it('permits by a policy of a file, until the file is gone', async () => {
    const { engine, policy, decisions } = await decidedWith(permitFile, [])
    assert.equal(policy?.effect, 'permit')
    for (const decision of decisions) assert.deepEqual(decision, { allowed: true, policyIds: [policy.id], errors: [] })
    await loaded(engine, 3, files, [])
    assert.deepEqual(allowedOf(await decided(engine, 3, questions)), [false, false])
  })

  runner.it('forbids by a policy of a file what a stored one permits, and the other way round', async () => {
    const { policy, decisions } = await decidedWith(forbidFile, [{ id: 'suite-permit', text: permit }])
    assert.equal(policy?.effect, 'forbid')
    for (const decision of decisions) assert.deepEqual(decision, { allowed: false, policyIds: [policy.id], errors: [] })
    const engine = await create()
    const { shipped } = await loaded(engine, 1, filesWith(example, permitFile, forbidFile), [])
    for (const { allowed, policyIds } of await decided(engine, 1, questions)) {
      assert.equal(allowed, false, 'a policy of one file permits what that of another one forbids')
      assert.deepEqual(policyIds, [shipped.find(({ id }) => id === policy?.id)?.id], 'the policy of the file that forbids')
    }
    const other = await decidedWith(permitFile, [{ id: 'suite-forbid', text: forbid }])
    for (const decision of other.decisions) assert.deepEqual(decision, { allowed: false, policyIds: ['suite-forbid'], errors: [] })
  })

  runner.it('refuses a set with an invalid file, names the file, and keeps the previous set', async () => {
    const engine = await create()
    await loaded(engine, 1, filesWith(example, permitFile), [])
    const answer = await load(engine, 2, filesWith(example, { ...permitFile, text: bad }), [])
    assert.ok(answer.outcome === 'refused', 'it was loaded')
    assertProblems(answer.problems)
    assert.deepEqual([...new Set(answer.problems.map(({ where }) => where))], [permitFile.name])
    assert.deepEqual(allowedOf(await decided(engine, 1, questions)), [true, true])
  })
}

function describeRehearsals({ create, example }: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const { files, questions, permit, forbid, bad, permitFile } = example
  const both = [
    { id: 'suite-permit', text: permit },
    { id: 'suite-forbid', text: forbid },
  ]

  runner.it('rehearses other sets, and keeps the one in force', async () => {
    const engine = await create()
    const sets = [
      { files, stored: [], expected: [false, false] },
      { files, stored: permitOnly(example), expected: [true, true] },
      { files, stored: both, expected: [false, false] },
      { files: filesWith(example, permitFile), stored: [], expected: [true, true] },
    ]
    for (const [version, inForce] of sets.entries()) {
      await loaded(engine, version, inForce.files, inForce.stored)
      const other = sets[(version + 1) % sets.length] ?? inForce
      const { decisions } = await rehearsed(engine, other.files, other.stored, questions)
      assert.deepEqual(allowedOf(decisions), other.expected, 'the rehearsal decides by another set')
      assert.deepEqual(allowedOf(await decided(engine, version, questions)), inForce.expected, 'the set in force was changed')
    }
  })

  runner.it('refuses to rehearse an invalid set, reports its position, and keeps the one in force', async () => {
    const engine = await create()
    await loaded(engine, 1, files, permitOnly(example))
    const answer = await rehearse(engine, files, [...permitOnly(example), { id: 'suite-bad', text: bad }], questions)
    assert.ok(answer.outcome === 'refused', 'it was rehearsed')
    assertProblems(answer.problems)
    assert.deepEqual([...new Set(answer.problems.map(({ where }) => where))], ['suite-bad'])
    assert.deepEqual(allowedOf(await decided(engine, 1, questions)), [true, true])
  })

  runner.it('rehearses before anything is loaded, and loads nothing by it', async () => {
    const engine = await create()
    assert.deepEqual(allowedOf((await rehearsed(engine, files, permitOnly(example), questions)).decisions), [true, true])
    assert.equal((await decide(engine, 1, questions)).outcome, 'not_loaded')
  })

  runner.it('tells the same of a set that it rehearses and one that it loads', async () => {
    for (const stored of [[], permitOnly(example), [{ id: 'suite-first', text: example.permitFirst }]]) {
      const engine = await create()
      const { decisions: _, ...told } = await rehearsed(engine, filesWith(example, permitFile), stored, questions)
      assert.deepEqual(told, await loaded(engine, 1, filesWith(example, permitFile), stored))
      assertPatterns(told.filePatterns)
    }
  })
}

/** Each pattern is a list of texts; it has at least one. */
function assertPatterns(patterns: readonly FilePattern[] | undefined): void {
  for (const pattern of patterns ?? [])
    assert.ok(
      Array.isArray(pattern) && pattern.length > 0 && pattern.every((text) => typeof text === 'string'),
      `the pattern ${JSON.stringify(pattern)} is not a list of texts`,
    )
}
