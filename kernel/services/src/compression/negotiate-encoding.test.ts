import { expect } from 'chai'
import { encodingFor, encodings } from './negotiate-encoding.js'

describe('the coding of an answer', () => {
  for (const [accepted, expected] of [
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['deflate', undefined],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0.5, identity;q=0.2', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, *;q=0', undefined],
    ['gzip;q=wrong', undefined],
    [', ,;q=1,gzip', 'gzip'],
  ] as const) {
    it(`is ${expected ?? 'none'} for ${accepted === undefined ? 'no header' : `“${accepted}”`}`, () => {
      expect(encodingFor({ 'accept-encoding': accepted }, encodings)).to.equal(expected)
    })
  }

  it('is one of those that are there', () => {
    expect(encodingFor({ 'accept-encoding': 'gzip, br' }, ['gzip'])).to.equal('gzip')
    expect(encodingFor({ 'accept-encoding': 'br' }, ['gzip'])).to.equal(undefined)
    expect(encodingFor({ 'accept-encoding': 'br' }, [])).to.equal(undefined)
  })
})
