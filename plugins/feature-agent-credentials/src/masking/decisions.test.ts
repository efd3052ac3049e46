import { expect } from 'chai'
import { createDecisions } from './decisions.js'
import { compileMatcher } from './matcher/compile-matcher.js'

describe('decisions about a text in pieces', () => {
  it('are not made anew with every piece of a long secret', async () => {
    const secret = Buffer.from(Array.from({ length: 1_500 }, (_, index) => (index * 7_919) % 251))
      .toString('base64')
      .replaceAll(/[+/=]/g, '')
    const matcher = await compileMatcher([{ credential: 'key', value: secret }])
    let looks = 0
    const decisions = createDecisions(() => {
      looks += 1
      return matcher
    })
    const text = `begins ${[...secret].join(' '.repeat(60))}`
    const shown: string[] = []
    for (let at = 0; at < text.length; at += 256) shown.push(...decisions.take(text.slice(at, at + 256)).map((each) => each.shown))
    expect(looks).to.be.below(100)
    shown.push(...[...decisions.take(' ends'), ...decisions.end()].map((each) => each.shown))
    expect(shown.join('')).to.equal('begins [credential key] ends')
  })
})
