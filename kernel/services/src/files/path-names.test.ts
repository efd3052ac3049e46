import { expect } from 'chai'
import { namesOf } from './path-names.js'

describe('namesOf', () => {
  for (const text of [
    'files/a',
    'files/a/b/c.txt',
    'workspaces/agent-1/.env',
    'files/größe & co?.txt',
    'files/...',
    'files/a b',
    'files/~',
    'files/😀',
    `file${'/aaa'.repeat(499)}`,
  ])
    it(`reads ${text.slice(0, 30)}`, () => {
      expect(namesOf(text).join('/')).to.equal(text)
    })

  for (const text of [
    'files/',
    'files//a',
    'files/a/',
    '/files/a',
    '/etc/passwd',
    './files/a',
    'files/.',
    'files/..',
    'files/../vault/key',
    'files/a/../b',
    'files/./a',
    '../ada/files/a',
    'files\\a',
    'files/a\\..\\b',
    'files/a\u0000',
    'files/a\n',
    'files/\u0085',
    'files/\ud800',
    'file:///files/a',
    `files/${'ä'.repeat(128)}`,
    `files${'/aaa'.repeat(499)}`,
  ])
    it(`5.3.2 refuses ${JSON.stringify(text.slice(0, 30))}`, () => {
      expect(() => namesOf(text))
        .to.throw()
        .with.property('code', 'path_invalid')
    })
})
