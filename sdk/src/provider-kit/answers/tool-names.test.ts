import { expect } from 'chai'
import { createToolNames, type ToolNameRule } from './tool-names.js'

const rule: ToolNameRule = { refused: /[^A-Za-z0-9_]/g, maxLength: 20, start: /^[A-Za-z_]/ }

describe('names of tools for a vendor', () => {
  it('stay unchanged if the vendor accepts them', () => {
    expect(createToolNames(['get_time'], rule).wire('get_time')).to.equal('get_time')
  })

  for (const name of ['mcp:files/read', '2fa', 'a_name_that_is_far_too_long', 'größe', '']) {
    it(`“${name}” is converted, the same way each time, and mapped back`, () => {
      const names = createToolNames([name, 'other'], rule)
      const wire = names.wire(name)
      expect(wire).to.match(/^[A-Za-z_][A-Za-z0-9_]{0,19}$/)
      expect(names.own(wire)).to.equal(name)
      expect(createToolNames([], rule).wire(name)).to.equal(wire)
    })
  }

  it('that differ stay different', () => {
    const names = createToolNames(['a.b', 'a-b', 'a_b'], rule)
    expect(new Set(['a.b', 'a-b', 'a_b'].map((name) => names.wire(name))).size).to.equal(3)
  })

  it('that a model invented stay unchanged', () => {
    expect(createToolNames(['a.b'], rule).own('invented')).to.equal('invented')
  })
})
