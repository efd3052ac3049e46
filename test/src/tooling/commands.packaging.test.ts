import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'

const campaign = `export const run = async ({ seed, seconds, full, print }) => {
  if (seed === 13) throw new Error('a fault was found')
  print('seed ' + seed + ', seconds ' + seconds + ', full ' + full)
}
`
/** Fails in every second run: it keeps a file as long as it passes. */
const flaky = `import { existsSync, rmSync, writeFileSync } from 'node:fs'
it('passes every second time', () => {
  if (existsSync('passed')) {
    rmSync('passed')
    throw new Error('not this time')
  }
  writeFileSync('passed', '')
})
`

describe('the long commands', () => {
  let tree: RepositoryTree

  before(async () => {
    tree = await createRepositoryTree()
    await tree.writeAll({
      'test/src/campaigns/storm.ts': '',
      'test/src/campaigns/storm.test.ts': '',
      'test/dist/campaigns/storm.js': campaign,
      'plugins/one/src/flaky.test.ts': "it('is replaced', () => {})\n",
    })
    expect((await tree.node(['kernel/scripts/build.mjs'])).code).to.equal(0)
    await tree.write('plugins/one/dist/flaky.test.js', flaky)
  })

  after(() => tree.remove())

  it('soak lists the campaigns', async () => {
    expect(await tree.node(['kernel/scripts/soak.mjs'])).to.deep.equal({ code: 0, output: 'Campaigns:\n  storm\n' })
  })

  it('soak runs a campaign at full length, with the given seed', async () => {
    const result = await tree.node(['kernel/scripts/soak.mjs', 'storm', '--seed=7', '--seconds=3'])
    expect(result.output).to.match(/storm, --seed=7 --seconds=3\n.*seed 7, seconds 3, full true\n.*storm found no fault/)
    expect(result.code).to.equal(0)
  })

  it('soak prints the seed of a campaign that finds a fault, and fails', async () => {
    const result = await tree.node(['kernel/scripts/soak.mjs', 'storm'], { SEED: '13' })
    expect(result.output).to.match(/--seed=13 [\s\S]*a fault was found/)
    expect(result.code).to.equal(1)
  })

  it('soak refuses an unknown campaign, and a seed that is not a number', async () => {
    const unknown = await tree.node(['kernel/scripts/soak.mjs', 'calm'])
    expect(unknown).to.deep.equal({ code: 2, output: '✗ unknown campaign calm\n→ Campaigns: storm\n' })
    expect((await tree.node(['kernel/scripts/soak.mjs', 'storm', '--seed=x'])).code).to.equal(2)
  })

  it('test:repeat counts the runs and shows the failed ones', async () => {
    const result = await tree.node(['kernel/scripts/test-repeat.mjs', 'plugins/one', '4'])
    expect(result.output).to.match(/✓ run 1 of 4[\s\S]*✗ run 2 of 4[\s\S]*not this time[\s\S]*✓ run 3 of 4[\s\S]*✗ run 4 of 4/)
    expect(result.output).to.match(/\n2 of 4 runs passed\n$/)
    expect(result.code).to.equal(1)
  })

  it('bench reports when there is nothing to measure', async () => {
    const result = await tree.node(['kernel/scripts/bench.mjs'])
    expect(result.output).to.include('✗ test/src/bench/main.ts is missing')
    expect(result.code).to.equal(1)
  })
})
