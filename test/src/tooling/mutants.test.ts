import { expect } from 'chai'
import { mutantsOf } from '../campaigns/support/mutants.js'

const changed = (code: string): readonly string[] =>
  mutantsOf(code).map(({ start, end, replacement }) => code.slice(0, start) + replacement + code.slice(end))

describe('mutants of a compiled module', () => {
  it('swap operators, except in concatenations', () => {
    expect(changed('const a = b === c')).to.deep.equal(['const a = b !== c'])
    expect(changed('a(b < c && d)')).to.include.members(['a(b <= c && d)', 'a(b < c || d)', ';'])
    expect(changed('const a = "b" + c')).to.deep.equal([])
  })

  it('force conditions to true and to false', () => {
    expect(changed('if (a) b = c')).to.deep.equal(['if (true) b = c', 'if (false) b = c'])
    expect(changed('const a = b ? c : d')).to.deep.equal(['const a = (c)', 'const a = (d)'])
    expect(changed('const a = b ?? c')).to.deep.equal(['const a = (c)'])
    expect(changed('const a = !b')).to.deep.equal(['const a = b'])
  })

  it('omit calls and results, and change literals', () => {
    expect(changed('await a()')).to.deep.equal([';'])
    expect(changed('function a() { return b }')).to.deep.equal(['function a() { return undefined }'])
    expect(changed('const a = [true, 1]')).to.deep.equal(['const a = [false, 1]', 'const a = [true, (1 + 1)]'])
  })

  it('leave imports and exports unchanged', () => {
    expect(changed('import { a } from "b"\nexport { a }')).to.deep.equal([])
  })
})
