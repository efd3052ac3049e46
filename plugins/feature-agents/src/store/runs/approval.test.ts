import { expect } from 'chai'
import { shownArguments, shownPurpose } from './approval.js'

describe('arguments that a person is shown', () => {
  it('are as the model sent them, up to a length', () => {
    const sent = { path: 'notes.txt', content: 'x'.repeat(32_000) }
    expect(shownArguments(sent)).to.deep.equal({ arguments: sent, arguments_cut: false })
  })

  it('have their long texts shortened beyond it, and the others whole', () => {
    const { arguments: shown, arguments_cut } = shownArguments({ path: 'notes.txt', lines: ['y'.repeat(100_000), 'short'] })
    expect(arguments_cut).to.equal(true)
    expect(shown).to.deep.equal({ path: 'notes.txt', lines: [`${'y'.repeat(2_000)} [98000 more characters]`, 'short'] })
  })

  it('split no character', () => {
    const { arguments: shown } = shownArguments({ text: `${'z'.repeat(1_999)}${'😀'.repeat(20_000)}` })
    expect(shown['text']).to.equal(`${'z'.repeat(1_999)} [40000 more characters]`)
  })

  it('are one text where there are too many of them', () => {
    const { arguments: shown, arguments_cut } = shownArguments({ list: Array.from({ length: 50_000 }, (_, index) => index) })
    expect(arguments_cut).to.equal(true)
    expect(JSON.stringify(shown).length).to.be.below(3_000)
    expect(shown['…']).to.match(/^\{"list":\[0,1,2,/)
  })
})

describe('the purpose that a person is shown', () => {
  it('is whole up to a length, and says beyond it how much is left out', () => {
    const whole = `Run: ${'x'.repeat(3_995)}`
    expect(shownPurpose(whole)).to.equal(whole)
    expect(shownPurpose(`${whole}; rm -rf hidden`)).to.equal(`${whole} [15 more characters]`)
  })
})
