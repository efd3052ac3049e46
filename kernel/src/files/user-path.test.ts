import { expect } from 'chai'
import { readUserPath, userPathText } from './user-path.js'

describe('readUserPath', () => {
  for (const text of [
    'files/a',
    'files/a/b/c.txt',
    'workspaces/agent-1/.env',
    'files/größe & co?.txt',
    'files/...',
    'files/a b',
    'files/~',
    'files/😀',
  ])
    it(`reads ${text}`, () => {
      const place = readUserPath(text)
      if ('problem' in place) throw new Error(place.problem)
      expect(userPathText(place)).to.equal(text)
    })

  for (const text of [
    '',
    'files',
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
    'mcps/x/a',
    'channels/a',
    'vault/key',
    'tokens/a',
    'Files/a',
    'files\\a',
    'files/a\\..\\b',
    'files/a\u0000',
    'files/a\n',
    'files/\u0085',
    'files/\ud800',
    'C:/files/a',
    'file:///files/a',
    'workspaces',
    `files/${'ä'.repeat(128)}`,
  ])
    it(`5.3.2 reads no path in ${JSON.stringify(text.slice(0, 30))}`, () => {
      expect(readUserPath(text)).to.have.property('problem')
    })
})
