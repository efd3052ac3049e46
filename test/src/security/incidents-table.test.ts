import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../../', import.meta.url))

describe('the table of incidents', () => {
  it('names tests that there are for each of fifteen, and every test of an incident', async () => {
    const page = await readFile(path.join(root, 'kernel/docs/incidents.md'), 'utf8')
    const rows = [...page.matchAll(/^\| [^|]+ \| [^|]+ \| [^|]+ \| (`.+`) \|$/gm)].map(([, files = '']) =>
      [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
    )
    expect(rows).to.have.length(15)
    expect(rows.flat().filter((file) => !existsSync(path.join(root, file)))).to.deep.equal([])
    const incidents = (await readdir(path.join(root, 'test/src/incidents'))).filter((name) => name.endsWith('.test.ts'))
    expect(rows.flat()).to.include.members(incidents.map((name) => `test/src/incidents/${name}`))
  })
})
