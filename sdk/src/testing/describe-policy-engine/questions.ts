import { strict as assert } from 'node:assert'
import type { EngineQuestion, EntityName } from '../../contracts/policy-engine/policy-engine.js'
import type { JsonValue } from '../../core/json.js'
import type { SuiteRunner } from '../suite-runner.js'
import { createDecider } from './decisions.js'
import { allowedOf, decided, loaded, permitOnly } from './engine-calls.js'
import type { PolicyEngineSuiteOptions } from './suite-options.js'

/** What an engine looks at in a question. */
export function describeQuestions(options: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const { create, example } = options
  const { files, questions, permit, forbid, permitFirst, byAttribute, byParents, byContext } = example
  const [first] = questions
  const decidedBy = createDecider(options)

  runner.it('denies an invalid question with the reason', async () => {
    const actions = ['suite_has_no_such_action', '', otherCase(first.action)]
    const decisions = await decidedBy(permitOnly(example), [...actions.map((action) => ({ ...first, action })), first])
    assert.equal(decisions.at(-1)?.allowed, true, 'the question beside them is denied too')
    for (const [index, action] of actions.entries()) {
      assert.equal(decisions[index]?.allowed, false, `the action “${action}” is permitted`)
      for (const { policyId } of decisions[index].errors) assert.equal(policyId, null)
    }
  })

  for (const missing of ['principal', 'resource'] as const)
    runner.it(`denies a question without the entity of its ${missing}, with the reason`, async () => {
      const unfit = withoutEntity(first, missing)
      const decisions = await decidedBy(permitOnly(example), [...unfit, first])
      assert.equal(decisions.at(-1)?.allowed, true, 'the question beside them is denied too')
      for (const { allowed, errors } of decisions.slice(0, -1)) {
        assert.equal(allowed, false, 'it is permitted')
        assert.equal(errors[0]?.policyId, null, 'the reason is missing from errors')
      }
    })

  runner.it('tells users apart by every character of their ids', async () => {
    const { id } = first.principal
    const others = [
      ...[otherCase(id), `${id}2`, ` ${id}`, `${id} `, id.slice(0, -1), id.slice(1), wide(id), `${id}\u200b`, `${id}\0`, `${id}\n`],
      ...['*', '%', `${id}*`, `${id}"`, `${id}\\`, `" || "${id}`, '__proto__'],
    ].filter((other) => other !== id && other !== '')
    const asked = [first, ...others.map((other) => named(first, other))]
    const decisions = await decidedBy([{ id: 'suite-first', text: permitFirst }], asked)
    for (const [index, { allowed }] of decisions.entries())
      assert.equal(allowed, index === 0, `the policy permits “${id}”; asked was ${JSON.stringify(others[index - 1] ?? id)}`)
  })

  runner.it('decides each of many questions, by each of many policies', async () => {
    const asked = Array.from({ length: 250 }, () => questions).flat()
    const isFirst = asked.map((_, index) => index % 2 === 0)
    assert.deepEqual(allowedOf(await decidedBy([{ id: 'suite-first', text: permitFirst }], asked)), isFirst)
    const many = Array.from({ length: 300 }, (_, index) => ({ id: `suite-${index}`, text: permit }))
    for (const { allowed, policyIds } of await decidedBy(many)) assert.deepEqual([allowed, policyIds.length], [true, many.length])
    for (const { allowed } of await decidedBy([...many, { id: 'suite-forbid', text: forbid }])) assert.equal(allowed, false)
  })

  const cases = { 'the attributes of entities': byAttribute, 'the parents of entities': byParents, 'the context': byContext }
  for (const [what, given] of Object.entries(cases)) {
    if (!given) continue
    const { policy, permitted, denied } = given
    runner.it(`decides by ${what} of each question`, async () => {
      const stored = [{ id: 'suite-looks', text: policy }]
      assert.deepEqual(allowedOf(await decidedBy(stored, [permitted, denied, permitted])), [true, false, true])
      const engine = await create()
      await loaded(engine, 1, files, stored)
      for (const [question, allowed] of [
        [denied, false],
        [permitted, true],
        [denied, false],
      ] as const)
        assert.deepEqual(allowedOf(await decided(engine, 1, [question])), [allowed], 'an earlier decision is repeated')
    })
  }
}

/**
 * The question without an entity that it names: without any in its place, with one of the same type in
 * its place, and with one of the same id.
 */
function withoutEntity(question: EngineQuestion, missing: 'principal' | 'resource'): readonly EngineQuestion[] {
  const { type, id } = question[missing]
  const isMeant = (entity: EntityName): boolean => entity.type === type && entity.id === id
  const others = question.entities.filter((entity) => !isMeant(entity))
  const sameType = question.entities.filter(isMeant).map((entity) => ({ ...entity, id: `other-${id}` }))
  const sameId = others.filter((entity) => entity.type !== type).map((entity) => ({ ...entity, id }))
  return [others, [...sameType, ...others], [...others, ...sameId]].map((entities) => ({ ...question, entities }))
}

/** The same text with every letter in the other case. */
const otherCase = (text: string): string =>
  [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('')

/** The same text in the letters that compatibility forms of Unicode take for it. */
const wide = (text: string): string => text.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))

/** The question of a user of another id. */
function named(question: EngineQuestion, id: string): EngineQuestion {
  const { type, id: before } = question.principal
  const rename = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(rename)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rename(member as JsonValue)]))
    return members['type'] === type && members['id'] === before ? { ...members, id } : members
  }
  return rename(question as unknown as JsonValue) as unknown as EngineQuestion
}
