import { strict as assert } from 'node:assert'
import type { ProviderAdapterSupport } from '../../../contracts/provider-adapter/adapter.js'
import { checkProviderAdapter } from '../../../contracts/provider-adapter/check-provider-adapter.js'
import { checkPortableSchema } from '../../../manifest/portable-schema.js'
import type { SuiteTopic } from '../support/suite-call.js'
import { type ProviderScenario, providerScenarios } from '../support/suite-options.js'

/** The abilities without which an adapter has nothing to do with a scenario. */
const abilityOf: Readonly<Partial<Record<ProviderScenario, keyof ProviderAdapterSupport>>> = {
  'tool-call': 'tools',
  'parallel-calls': 'tools',
  'cut-tool-call': 'tools',
  reasoning: 'reasoning',
  opaque: 'opaqueParts',
  embed: 'embed',
  'one-piece': 'streaming',
}

/** What nothing checks without a scenario. */
const rulesOf: Readonly<Record<ProviderScenario, string>> = {
  text: 'answers are those of the upstream',
  'tool-call': 'tool calls are those of the upstream',
  'parallel-calls': 'several tool calls of one answer stay apart',
  reasoning: 'reasoning stays apart from the text',
  'cut-text': 'an answer that is cut off is a failure',
  'cut-tool-call': 'a tool call that is cut off is never made',
  error: 'a refusal is a provider error of the right kind, without the key',
  'error-in-answer': 'an error inside an answer is a failure',
  silent: 'an upstream that is silent is a time-out',
  endless: 'an abort ends the call and its request',
  'one-piece': 'an answer in one piece to a streaming request is read',
  opaque: 'opaque parts go back to their vendor, and to no other',
  embed: 'vectors are those of their texts',
}

/** The declaration of an adapter. */
export function describeDeclaration({ runner, options, test, unchecked }: SuiteTopic): void {
  runner.describe('declaration', () => {
    runner.it('has specVersion 1, an id, a plain name and at least one protocol', () => {
      const adapter = options.create()
      assert.equal(adapter.specVersion, 1)
      assert.match(adapter.id, /^[a-z][a-z0-9_-]{1,63}$/)
      assert.match(adapter.name, /^[a-z][a-z0-9_-]{0,63}$/)
      assert.ok(adapter.protocols.length > 0, 'it has no protocol')
    })

    runner.it('has protocols whose ids and aliases are all different', () => {
      const names = options.create().protocols.flatMap((protocol) => [protocol.id, ...protocol.aliases])
      assert.deepEqual([...new Set(names)], names)
    })

    test('text', 'has the protocol of the upstream', async ({ protocols }, { protocol }) => {
      const ids = protocols.map(({ id }) => id)
      assert.ok(ids.includes(protocol), `the protocol of the upstream is “${protocol}”; the adapter has ${ids.join(', ')}`)
    })

    runner.it('has the members that a host accepts and no others', () => {
      const elsewhere = /^\/(specVersion|id|name|protocols)(\/|$)/
      assert.deepEqual(
        checkProviderAdapter(options.create()).filter(({ path }) => !elsewhere.test(path)),
        [],
      )
    })

    runner.it('has a scenario for each ability that it declares', () => {
      const { supports } = options.create()
      const needed = [
        ...(supports.tools ? (['tool-call'] as const) : []),
        ...(supports.reasoning ? (['reasoning'] as const) : []),
        ...(supports.opaqueParts ? (['opaque'] as const) : []),
        ...(supports.embed === true ? (['embed'] as const) : []),
      ]
      for (const scenario of needed)
        assert.ok(options.scenarios.includes(scenario), `it declares the ability of “${scenario}”, but scenarios do not include it`)
    })

    // Noted here, where the adapter's abilities are known. A scenario of an ability that it lacks is no gap.
    runner.it('is tested in every scenario, or the suite notes what is not checked', () => {
      const { supports } = options.create()
      assert.ok(options.scenarios.includes('text'), 'the scenario “text” is missing, which every adapter can meet')
      for (const scenario of providerScenarios) {
        const ability = abilityOf[scenario]
        if (!options.scenarios.includes(scenario) && (ability === undefined || supports[ability] === true))
          unchecked.without(`scenario ${scenario}`, rulesOf[scenario])
      }
    })

    runner.it('has embed if and only if it declares it', () => {
      const { supports, embed } = options.create()
      assert.equal(typeof embed === 'function', supports.embed === true)
    })

    runner.it('has settings that can be read as plain JSON and are closed', () => {
      for (const protocol of options.create().protocols) {
        assert.deepEqual(checkPortableSchema(protocol.settings, `/${protocol.id}`), [])
        assert.equal(
          (protocol.settings as { readonly additionalProperties?: unknown }).additionalProperties,
          false,
          `${protocol.id} accepts unknown settings`,
        )
        for (const common of ['max_tokens', 'temperature'])
          assert.ok(!(common in protocol.settings.properties), `${common} is common to all protocols`)
      }
    })
  })
}
