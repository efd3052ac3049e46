import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { createTextGroups } from './text-groups.js'

describe('imports of groups of texts, in a build', () => {
  let folder: string
  const watched: string[] = []
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'text-groups-'))
    await mkdir(path.join(folder, 'texts'))
    await writeFile(path.join(folder, 'texts/en.json'), '{ "dice": { "cost": "$& $1" }, "rolls": { "title": "Rolls" } }')
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const transform = (code: string, name = 'screens/texts.ts') =>
    createTextGroups().transform.call({ addWatchFile: (file) => watched.push(file) }, code, path.join(folder, name))
  const failure = (code: string) => transform(code).then(String, (error: Error) => error.message)

  it('become the texts of that group alone, and the build follows the catalogue', async () => {
    const result = await transform(`import { rolls as en } from '../texts/en.json'\nexport const t = en\n`)
    expect(result?.code).to.equal('const en = {"title":"Rolls"}\nexport const t = en\n')
    expect(watched).to.deep.equal([path.join(folder, 'texts/en.json')])
  })

  it('may name several, over lines, with any characters in the texts', async () => {
    const result = await transform(`import {\n  dice,\n  rolls as en,\n} from "../texts/en.json" with { type: 'json' }`)
    expect(result?.code).to.equal('const dice = {"cost":"$& $1"}; const en = {"title":"Rolls"}')
  })

  it('leave other modules and imports as they are', async () => {
    expect(await transform(`import { name } from '../package.json'`)).to.equal(null)
    expect(await transform(`import { rolls } from '../texts/en.json'`, 'screens/look.css')).to.equal(null)
  })

  it('fail for a group that is not there, for a whole catalogue, and for one that is missing', async () => {
    expect(await failure(`import { cards } from '../texts/en.json'`)).to.match(
      /en\.json has no group “cards”; its groups are: dice, rolls$/,
    )
    expect(await failure(`import en from '../texts/en.json'`)).to.match(/en\.json is imported as a whole; import a group/)
    expect(await failure(`import { rolls } from '../texts/fr.json'`)).to.match(/fr\.json cannot be read \(ENOENT/)
  })
})
