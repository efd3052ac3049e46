import { openTestConfigurations, type TestConfigurations } from '@agent-service/kernel/testing'
import { canonicalJson } from '@agent-service/sdk'
import { expect } from 'chai'
import { connectionCases, groupCases, house, settingCases } from './support/model-rule-cases.js'

describe('the rules of providers and models, by the real loader', () => {
  let configurations: TestConfigurations

  before(async () => {
    configurations = await openTestConfigurations()
  })
  after(() => configurations.remove())

  for (const { what, refused = [], warned = [], ...input } of [...connectionCases, ...groupCases, ...settingCases]) {
    it(`${refused.length === 0 ? 'accept' : 'refuse'}${refused.length === 0 && warned.length > 0 ? ', with a warning,' : ''} ${what}`, async () => {
      const { problems, warnings } = await configurations.load(input)
      expectBeginnings(
        problems.map(({ path, message }) => `${path}: ${message}`),
        refused,
      )
      expectBeginnings(
        warnings.filter((warning) => /^(providers|models)\b/.test(warning)),
        warned,
      )
    })
  }

  it('point at the line and the column', async () => {
    const { problems } = await configurations.load({ yaml: house('top_k: 1').replaceAll('\n', '\n\n') })
    expect(problems.map(({ message }) => message).join()).to.match(/ \(3:\d+\)$/)
  })

  it('list what overrides a typed setting, and warn of nothing', async () => {
    const group = 'temperature: 1, max_tokens: 5, extra_params: { options: { num_predict: 9, temperature: 0 } }'
    const { problems, overlaps, warnings } = await configurations.load({
      yaml: house('temperature: 0.5, extra_params: { temperature: 1 }').replace(
        'models: {',
        `models: { local: { provider: ollama, model: m, ${group} },`,
      ),
      environment: { OLLAMA_API_BASE_URL: 'http://localhost:11434' },
    })
    expect(problems).to.deep.equal([])
    expect(warnings.filter((warning) => warning.includes('extra_params'))).to.deep.equal([])
    expect(overlaps).to.deep.equal([
      { path: 'models.local.extra_params.options.num_predict', typed: 'max_tokens', custom: 'options.num_predict' },
      { path: 'models.local.extra_params.options.temperature', typed: 'temperature', custom: 'options.temperature' },
      { path: 'models.primary.extra_params.temperature', typed: 'temperature', custom: 'temperature' },
    ])
  })

  it('let a key whose variable is not set pass with a warning', async () => {
    const { problems, warnings } = await configurations.load({
      yaml: house('api: completions').replace('api_key: k', 'api_key: "${MISSING}"'),
    })
    expect(problems).to.deep.equal([])
    expect(warnings.filter((warning) => warning.includes('MISSING is not set'))).to.have.length(1)
  })

  it('say nothing of what the environment offers alone', async () => {
    const { problems, warnings } = await configurations.load({ environment: { ANTHROPIC_API_KEY: 'k' } })
    expect(problems).to.deep.equal([])
    expect(warnings.filter((warning) => /^(providers|models)\b/.test(warning))).to.deep.equal([])
  })

  it('can leave members to the first protocol that knows them: where several do, they agree', async () => {
    const { schema } = await configurations.load()
    const group = Object.values(schema?.properties?.['models']?.patternProperties ?? {})[0]
    const byName = new Map<string, Set<string>>()
    for (const { properties = {} } of Object.values(group?.['x-extensions'] ?? {}))
      for (const [name, { description: _description, ...member }] of Object.entries(properties))
        byName.set(name, (byName.get(name) ?? new Set()).add(canonicalJson(member)))
    expect(byName.size).to.be.at.least(30)
    expect([...byName].filter(([, forms]) => forms.size > 1).map(([name]) => name)).to.deep.equal([])
  })
})

function expectBeginnings(lines: readonly string[], beginnings: readonly string[]): void {
  expect(lines.map((line, index) => line.slice(0, beginnings[index]?.length))).to.deep.equal(beginnings)
}
