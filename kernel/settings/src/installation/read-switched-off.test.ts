import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readSwitchedOff } from './read-switched-off.js'

describe('plugins that are switched off', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switches-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('are those of the document; without a document all are on', async () => {
    expect((await readSwitchedOff(folder))('feature-feed')).to.equal(false)
    expect((await readSwitchedOff(join(folder, 'missing')))('feature-feed')).to.equal(false)
    await writeFile(join(folder, 'plugins.json'), '{"disabled": ["feature-feed"]}')
    const isOff = await readSwitchedOff(folder)
    expect([isOff('feature-feed'), isOff('feature-other')]).to.deep.equal([true, false])
  })

  it('are all of them if the document cannot be read', async () => {
    for (const text of ['{', '{"disabled": [1]}']) {
      await writeFile(join(folder, 'plugins.json'), text)
      expect((await readSwitchedOff(folder))('feature-feed'), text).to.equal(true)
    }
  })
})
