import { strict as assert } from 'node:assert'
import { checkProviderAdapter } from '../../../contracts/provider-adapter/check-provider-adapter.js'
import { checkPortableSchema } from '../../../manifest/portable-schema.js'
import type { SuiteTopic } from '../support/suite-call.js'

/** The declaration of an adapter. */
export function describeDeclaration({ runner, options }: SuiteTopic): void {
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
