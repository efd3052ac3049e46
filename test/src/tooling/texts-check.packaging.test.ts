import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'

const module = `import { defineMessages } from '@agent-service/sdk/web'
import { rolls as de } from '../../texts/de.json'
import { rolls as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
`
const screen = `import { t } from './texts.js'
import { kindOf } from '../../kinds.js'

export const texts = [t('title'), t(\`tab_\${kindOf()}\`), t(kindOf())]
`

describe('the check texts', function () {
  this.timeout(60_000)
  let tree: RepositoryTree
  before(async () => {
    tree = await createRepositoryTree()
    await tree.write('plugins/one/web/screens/rolls/texts.ts', module)
    await tree.write('plugins/one/web/screens/rolls/rolls.tsx', screen)
    await tree.write('plugins/one/web/kinds.ts', "export const kindOf = (): 'dice' | 'coin' => 'dice'\n")
  })
  after(() => tree.remove())

  const outputWith = async (en: object, de: object = en): Promise<string> => {
    await tree.write('plugins/one/web/texts/en.json', JSON.stringify(en))
    await tree.write('plugins/one/web/texts/de.json', JSON.stringify(de))
    return (await tree.check('texts')).output
  }

  it('counts keys as used where they are written, where a template fits, and as strings of what is imported', async () => {
    const rolls = { coin: 'Coin', dice: 'Dice', tab_coin: 'Coins', tab_dice: 'Dice', title: 'Rolls' }
    expect(await outputWith({ rolls })).to.match(/^✓ texts/)
    const output = await outputWith({ rolls: { ...rolls, unused: 'Unused' } })
    expect(output).to.contain('plugins/one/web/texts/en.json, rolls.unused: no source uses it; remove it in every language')
    expect(output.match(/no source uses it/g)).to.have.length(1)
  })

  it('has groups and keys in the order of their names, and finds what the build of screens finds', async () => {
    expect(await outputWith({ rolls: { title: 'Rolls', dice: 'Dice' } })).to.contain('rolls: “dice” stands after “title”; sort the names')
    expect(await outputWith({ rolls: { title: 'Rolls' } }, { rolls: {} })).to.contain(
      'plugins/one/web/texts/de.json, rolls.title: is missing',
    )
  })

  it('names groups that no module imports, or that two do', async () => {
    expect(await outputWith({ other: {}, rolls: { title: 'Rolls' } })).to.contain('en.json, other: no module imports the group')
    await tree.write('plugins/one/web/screens/rolls/again.ts', module)
    expect(await outputWith({ rolls: { title: 'Rolls' } })).to.match(
      /en\.json, rolls: is imported by .*again\.ts and .*texts\.ts; import “t”/,
    )
  })
})
