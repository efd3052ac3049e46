import { mkdir, rm, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { daysAgo, type IndexedTools, startIndexedTools } from '../test-support/indexed-tools.js'
import { writeArchive } from '../test-support/local-packages.js'

const name = 'poisoned-for-test'
const scripts = { preinstall: 'echo before >> "$HOME/ran.txt"', postinstall: 'echo after >> "$HOME/ran.txt"' }

describe('packages of npm that were poisoned', function () {
  this.timeout(60_000)
  let tools: IndexedTools

  const publish = async (of: string, version: string, at: Date, more: object = {}): Promise<void> => {
    const manifest = { scripts, ...more }
    const files = { 'package.json': JSON.stringify({ name: of, version, ...manifest }), 'index.js': `module.exports = '${version}'\n` }
    const file = await writeArchive(tools.index.folder, `${of}-${version}.tgz`, files)
    tools.index.publish({ name: of, version, file, at, manifest: { ...manifest, hasInstallScript: true } })
  }
  const installed = async (): Promise<unknown> => JSON.parse(await tools.read('node_modules', name, 'package.json'))

  beforeEach(async () => {
    tools = await startIndexedTools()
    await publish(name, '1.0.0', daysAgo(10))
    await publish(name, '1.0.1', daysAgo(1))
  })
  afterEach(() => tools?.stop())

  it('are left out while they are young, and run nothing while they are installed, also below others', async () => {
    await publish('parent-for-test', '1.0.0', daysAgo(10), { dependencies: { [name]: '^1.0.0' } })
    const { text, isError } = await tools.install('node', 'parent-for-test')
    expect(isError, text).to.equal(false)
    expect(text, 'what it may lack')
      .to.contain(`install scripts of these were not run, so they may lack what those make: `)
      .and.contain(name)
    expect(await installed()).to.include({ version: '1.0.0' })
    const young = await tools.install('node', `${name}@1.0.1`)
    expect(young.isError, young.text).to.equal(true)
    expect(young.text).to.contain(`${name}@1.0.1 with a date before`)
    await publish('new-for-test', '1.0.0', daysAgo(1))
    expect((await tools.install('node', 'new-for-test')).text, 'why it is not found').to.contain('releases of the last 3 days are left out')
    expect(await installed()).to.include({ version: '1.0.0' })
    expect(await tools.ran()).to.equal('')
  })

  it('are not taken from an address or a repository that a package names, of which no age is known', async () => {
    for (const [of, far] of [
      ['linked-for-test', 'https://packages.example/far-1.0.0.tgz'],
      ['cloned-for-test', 'git+https://packages.example/far.git'],
    ] as const) {
      await publish(of, '1.0.0', daysAgo(10), { dependencies: { far } })
      const { text, isError } = await tools.install('node', of)
      expect(isError, text).to.equal(true)
      expect(text).to.match(/EALLOW(REMOTE|GIT)/)
    }
  })

  it('are not installed again as another archive than the one before', async () => {
    expect((await tools.install('node', name)).isError).to.equal(false)
    expect(await tools.read('package-lock.json')).to.match(/"integrity": "sha512-/)
    await writeArchive(tools.index.folder, `${name}-1.0.0.tgz`, {
      'package.json': JSON.stringify({ name, version: '1.0.0' }),
      'index.js': 'module.exports = "poison"\n',
    })
    await rm(tools.place('node_modules'), { recursive: true })
    const { text } = await tools.under.call('shell', { command: `cat node_modules/${name}/index.js; true` })
    expect(text).to.contain('could not be made again').and.to.contain('EINTEGRITY').and.to.not.contain('module.exports')
  })

  it('are held back whatever the files of the workspace say', async () => {
    const loose = 'ignore-scripts=false\nbefore=2999-01-01\nmin-release-age=0\npackage-lock=false\nallow-remote=all\n'
    const more = `min-release-age-exclude[]=*\ndry-run=true\nglobal=true\nlocation=global\nprefix=${tools.place('elsewhere')}\n`
    await writeFile(tools.place('.npmrc'), `registry=${tools.index.npm}\n${loose}${more}`)
    expect((await tools.install('node', name)).isError).to.equal(false)
    expect(await installed()).to.include({ version: '1.0.0' })
    expect(await tools.read('package-lock.json')).to.match(/"integrity": "sha512-/)
    expect(await tools.ran()).to.equal('')
  })

  it('are made again from the list as install_packages would take them: no option, no address', async () => {
    await mkdir(tools.place('.packages'))
    const list = [`${name}@1.0.1`, '--ignore-scripts=false', '--before=2999-01-01', `${tools.index.npm}${name}/-/${name}-1.0.1.tgz`, name]
    await writeFile(tools.place('.packages', 'node.txt'), `${list.join('\n')}\n`)
    const { text } = await tools.under.call('shell', { command: 'ls; true' })
    for (const each of list.slice(0, 4)) expect(text).to.contain(`cannot be installed again: ${each}.`)
    expect(await installed()).to.include({ version: '1.0.0' })
    expect(await tools.ran()).to.equal('')
    expect(await tools.read('.packages', 'node.txt')).to.equal(`${name}\n`)
  })
})
