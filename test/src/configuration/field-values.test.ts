import { openTestConfigurations, type TestConfiguration, type TestConfigurations } from '@agent-service/kernel/testing'
import type { JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { type FieldCase, fieldCases, fileOf, valueAt, variableOf } from './support/field-cases.js'
import { acceptedValue, refusedValues, takesAnyText, variableText } from './support/field-values.js'
import { allFields, protocols } from './support/specification.js'

const groups = [...new Set(allFields.map(({ section }) => section)), ...protocols]

/** Protocols without settings of their own. */
const withoutFields: ReadonlySet<string> = new Set(['cohere-chat', 'huggingface'])

describe('the values of every field', () => {
  let configurations: TestConfigurations
  let cases: ReadonlyMap<string, readonly FieldCase[]>

  before(async () => {
    configurations = await openTestConfigurations()
    const { schema } = await configurations.load()
    if (schema === undefined) throw new Error('There is no schema.')
    cases = fieldCases(schema)
  })

  after(() => configurations.remove())

  it('are tried for all of them', () => {
    expect([...cases.keys()].sort()).to.deep.equal(groups.filter((group) => !withoutFields.has(group)).sort())
  })

  for (const group of groups.filter((name) => !withoutFields.has(name))) {
    const fields = (): readonly FieldCase[] => cases.get(group) ?? []

    it(`${group}: one is accepted in the file`, async () => {
      const loaded = await load(fields(), ({ name, node }) => acceptedValue(name, node), {})
      expect(loaded.problems).to.deep.equal([])
      for (const { name, path, node } of fields())
        expect(withoutEmpty(valueAt(loaded.values, path)), path.join('.')).to.deep.equal(withoutEmpty(acceptedValue(name, node)))
    })

    it(`${group}: the same is accepted in the environment`, async () => {
      const environment = Object.fromEntries(
        fields().map(({ name, path, node }) => [variableOf(path), variableText(acceptedValue(name, node))]),
      )
      const loaded = await load(fields(), () => undefined, environment)
      expect(loaded.problems).to.deep.equal([])
      for (const { name, path, node } of fields()) {
        expect(withoutEmpty(valueAt(loaded.values, path)), path.join('.')).to.deep.equal(withoutEmpty(acceptedValue(name, node)))
        expect(loaded.configuration?.sourceOf(path.join('.')), path.join('.')).to.equal('environment')
      }
    })

    it(`${group}: others are refused in the file, all at once, each with its line`, async () => {
      const rounds = Math.max(...fields().map(({ name, node }) => refusedValues(name, node).length))
      for (let round = 0; round < rounds; round += 1) {
        const choose = ({ name, node }: FieldCase): JsonValue | undefined => refusedValues(name, node)[round]
        const loaded = await load(fields(), choose, {})
        for (const field of fields().filter((each) => choose(each) !== undefined))
          expectRefused(loaded, field, choose(field), /\(\d+:\d+\)$/)
      }
    })

    it(`${group}: others are refused in the environment, all at once, each with its variable`, async () => {
      const tried = fields().filter(({ name, node }) => !takesAnyText(name, node))
      const choose = ({ name, node }: FieldCase): JsonValue => refusedValues(name, node)[0] ?? null
      const environment = Object.fromEntries(tried.map((field) => [variableOf(field.path), variableText(choose(field))]))
      const loaded = await load(fields(), () => undefined, environment)
      for (const field of tried) expectRefused(loaded, field, choose(field), new RegExp(variableOf(field.path)))
    })
  }

  const load = (
    fields: readonly FieldCase[],
    choose: (field: FieldCase) => JsonValue | undefined,
    environment: Readonly<Record<string, string>>,
  ): Promise<TestConfiguration> => configurations.load({ yaml: JSON.stringify(fileOf(fields, choose)), environment })
})

/** A map of settings also has the plugins whose settings are all left out. */
const withoutEmpty = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, each]) => JSON.stringify(each) !== '{}'))
    : value

function expectRefused({ problems }: TestConfiguration, { path }: FieldCase, value: JsonValue | undefined, place: RegExp): void {
  const name = path.join('.')
  const found = problems.find((problem) => problem.path === name || problem.path.startsWith(`${name}[`))
  expect(found?.message, `${name}: ${JSON.stringify(value)}`).to.match(place)
}
