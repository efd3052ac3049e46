import { expect } from 'chai'
import { deleteScopes } from './delete-scopes.js'

const labels = (path: unknown) => deleteScopes(path).map(({ label }) => label)
const keys = (path: unknown) => deleteScopes(path).map(({ key }) => key)

describe('what can be allowed of deleting', () => {
  it('are the folders around, the nearest first, and the workspace', () => {
    expect(labels('a/b/c.txt')).to.deep.equal([
      'Delete anything in the folder “a/b”',
      'Delete anything in the folder “a”',
      'Delete anything in the workspace',
    ])
    expect(labels('c.txt')).to.deep.equal(['Delete anything in the workspace'])
  })

  it('is not a folder for itself, and the same for every way to write a path', () => {
    expect(keys('a')).not.to.include(keys('a/b')[0])
    for (const path of ['./a/b', '././a/b', 'a/b/']) expect(keys(path), path).to.deep.equal(keys('a/b'))
    expect(keys('o\u0308l/x')).to.deep.equal(keys('\u00f6l/x'))
    expect(keys('a/b')).not.to.deep.equal(keys('ab/b'))
    expect(keys('A/b')).not.to.deep.equal(keys('a/b'))
  })

  it('is nothing of a path that is none for certain, or that a screen would not show', () => {
    for (const path of [
      '',
      '.',
      './',
      '..',
      '../a',
      'a/../b',
      'a/./b',
      '/a/b',
      'a//b',
      'a/b//',
      '~/../a',
      'a\\b/c',
      'a\u202eb/c',
      'a\nb/c',
      'a”b/c',
      'a\u200b/c',
      undefined,
    ])
      expect(labels(path), JSON.stringify(path)).to.deep.equal([])
  })

  it('is at most ten', () => {
    const names = Array.from({ length: 30 }, (_, index) => `f${index}`)
    expect(labels(`${names.join('/')}/x`)).to.have.length(10)
    expect(labels(`${'long'.repeat(40)}/x`)).to.deep.equal(['Delete anything in the workspace'])
  })
})
