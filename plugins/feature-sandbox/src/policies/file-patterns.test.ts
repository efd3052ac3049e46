import type { FilePattern } from '@agent-service/sdk/contracts/policy-engine'
import { expect } from 'chai'
import { dividesBelow, fits } from './file-patterns.js'

/** The same by a regular expression. */
const fitsByExpression = (pattern: FilePattern, path: string): boolean =>
  new RegExp(`^${pattern.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`, 's').test(path)

/** Every text of at most so many letters. */
function textsOf(letters: string, maxLength: number): readonly string[] {
  const all = ['']
  for (let from = 0, length = 0; length < maxLength; length += 1) {
    const to = all.length
    for (const text of all.slice(from, to)) for (const letter of letters) all.push(text + letter)
    from = to
  }
  return all
}

/** Every pattern of up to three texts, each of up to two letters. */
const patterns: readonly FilePattern[] = (() => {
  const texts = textsOf('ab', 2)
  const one = texts.map((text) => [text])
  const two = texts.flatMap((text) => one.map((others) => [text, ...others]))
  return [...one, ...two, ...texts.flatMap((text) => two.map((others) => [text, ...others]))]
})()

describe('patterns of files', () => {
  it('fit what their regular expressions do', () => {
    for (const pattern of patterns)
      for (const path of textsOf('ab', 5))
        expect(fits(pattern, path), `${JSON.stringify(pattern)} ${path}`).to.equal(fitsByExpression(pattern, path))
  })

  it('divide what is below a folder exactly if they fit some of it and not all', () => {
    const below = textsOf('abc', 7)
    for (const pattern of patterns.filter((_, index) => index % 5 === 0))
      for (const prefix of ['a', 'ab', 'ba']) {
        const counts = new Set(below.map((rest) => fitsByExpression(pattern, prefix + rest)))
        expect(dividesBelow(pattern, prefix), `${JSON.stringify(pattern)} ${prefix}`).to.equal(counts.size === 2)
      }
  })
})
