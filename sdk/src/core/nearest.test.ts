import { expect } from 'chai'
import { nearest, suggestion } from './nearest.js'

describe('nearest', () => {
  it('finds the nearest name, if one is near', () => {
    expect(nearest('prot', ['host', 'port', 'ports'])).to.equal('port')
    expect(nearest('GROQ', ['openai', 'groq'])).to.equal('groq')
    expect(nearest('wrok', ['work'])).to.equal('work')
    expect(nearest('elsewhere', ['port', 'host'])).to.equal(undefined)
    expect(nearest('x', [])).to.equal(undefined)
  })

  it('is asked as a question behind what is wrong', () => {
    expect(suggestion('prot', ['port'])).to.equal('; did you mean “port”?')
    expect(suggestion('elsewhere', ['port'])).to.equal('')
  })
})
