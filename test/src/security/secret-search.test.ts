import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { removeFolder } from '../support/service-process.js'
import { createSecretSearch, spellingsOf } from './support/secret-search.js'

const secret = 'canary/"ä" & 4711 \\ more'

describe('the search for secrets', () => {
  const search = createSecretSearch(new Map([['it', secret]]))

  for (const spelling of spellingsOf(secret).keys()) {
    it(`16.2.5 finds a secret ${spelling}`, () => {
      const text = spellingsOf(secret).get(spelling) ?? ''
      const bytes = Buffer.from(`before ${text} after`, spelling === 'in UTF-16' ? 'latin1' : 'utf8')
      expect(search.inText('here', bytes).map((finding) => finding.secret)).to.include('it')
    })
  }

  it('16.2.5 finds it in the middle of a longer text that was encoded whole', () => {
    for (const before of ['', 'a', 'ab', 'abc', 'Bearer '])
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const text = Buffer.from(`${before}${secret} and more`).toString(encoding)
        expect(search.inText('here', text), `${encoding} ${before}`).to.not.be.empty
      }
  })

  it('16.2.5 finds it in a file of any format and in the name of one, and nothing in a clean folder', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-search-'))
    const short = createSecretSearch(new Map([['it', 'canary-of-a-file-name']]))
    try {
      await writeFile(path.join(folder, 'clean.db'), Buffer.alloc(100_000, 7))
      expect(await short.inFolder(folder)).to.deep.equal([])
      await writeFile(path.join(folder, 'leak.db'), Buffer.concat([Buffer.alloc(9_999, 255), Buffer.from('canary-of-a-file-name')]))
      await writeFile(path.join(folder, 'canary-of-a-file-name.json'), '{}')
      const found = await short.inFolder(folder)
      expect(found.map(({ where }) => where).sort()).to.deep.equal([
        path.join(folder, 'leak.db'),
        `the name of ${path.join(folder, 'canary-of-a-file-name.json')}`,
      ])
      expect(await short.inFolder(folder, (file) => file.endsWith('.db'))).to.have.length(1)
    } finally {
      await removeFolder(folder)
    }
  })

  it('16.2.5 looks for nothing that is too short to be telling', () => {
    expect(() => createSecretSearch(new Map([['it', 'short']]))).to.throw('too short')
  })
})
