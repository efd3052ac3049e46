import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const program = fileURLToPath(new URL('../../bin/agent-service-plugin.mjs', import.meta.url))
const sdk = new URL('../index.js', import.meta.url).href

const run = (...words: readonly string[]): Promise<{ status: number | null; out: string; error: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let error = ''
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString()
    })
    child.stderr.on('data', (data: Buffer) => {
      error += data.toString()
    })
    child.once('error', reject)
    child.once('close', (status) => {
      resolve({ status, out, error })
    })
  })

describe('agent-service-plugin', function () {
  this.timeout(60_000)
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'plugin-build-'))
    await mkdir(path.join(folder, 'dist'))
    await writePackage({
      version: '1.2.3',
      agentService: { plugin: './dist/plugin.json' },
      exports: { '.': { types: './x.d.ts', default: './dist/index.js' } },
    })
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const writePackage = (json: object) => writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', ...json }))
  const writeEntry = (manifest: string) =>
    writeFile(
      path.join(folder, 'dist/index.js'),
      `import { definePlugin, Type } from ${JSON.stringify(sdk)}\nexport default definePlugin({ manifest: ${manifest}, setup() {} })\n`,
    )
  const written = async () => JSON.parse(await readFile(path.join(folder, 'dist/plugin.json'), 'utf8')) as Record<string, unknown>

  it('writes plugin.json with version and entry, and finds it valid afterwards', async () => {
    await writeEntry(
      `{ apiVersion: 1, id: 'tool-dice', contributes: ['tool'], config: Type.Object({ sides: Type.Integer({ default: 6 }) }) }`,
    )
    const built = await run('build', folder)
    expect(built.error).to.equal('')
    expect(built.status).to.equal(0)
    expect(built.out).to.contain('It starts with the service: its setup contributes nothing')
    expect(await written()).to.deep.equal({
      id: 'tool-dice',
      version: '1.2.3',
      apiVersion: 1,
      entry: './index.js',
      contributes: ['tool'],
      config: { type: 'object', required: ['sides'], properties: { sides: { type: 'integer', default: 6 } }, additionalProperties: false },
    })
    expect(await readdir(path.join(folder, 'dist'))).to.have.members(['index.js', 'plugin.json'])
    expect((await run('validate', folder)).status).to.equal(0)
  })

  it('records what setup contributes, unless that is too much for plugin.json', async () => {
    const searches = (title: string) => `
      import { definePlugin } from ${JSON.stringify(sdk)}
      import { searchProviders } from ${JSON.stringify(import.meta.resolve('@agent-service/sdk/contracts/search-provider'))}
      export default definePlugin({
        manifest: { apiVersion: 1, id: 'search-field', contributes: ['search.provider'] },
        setup(context) {
          for (let index = 0; index < 3_000; index += 1)
            context.contribute(searchProviders, { specVersion: 1, id: 'field-' + index, title: ${title}, search: async () => ({ results: [] }) })
        },
      })`
    await writeFile(path.join(folder, 'dist/index.js'), searches(`'Field'`).replace('3_000', '1'))
    expect((await run('build', folder)).out).to.not.contain('It starts with the service')
    expect(await written()).to.have.deep.nested.property('recorded.contributions', [
      { point: 'search.provider', data: { specVersion: 1, id: 'field-0', title: 'Field' }, functions: ['search'] },
    ])
    expect((await run('validate', folder)).status).to.equal(0)
    await writeFile(path.join(folder, 'dist/index.js'), searches(`'F'.repeat(150)`))
    expect((await run('build', folder)).out).to.contain('plugin.json would be too large')
    expect(await written()).to.not.have.property('recorded')
  })

  it('names the path of a schema that does not survive JSON, and leaves the file as it was', async () => {
    await writeFile(path.join(folder, 'dist/plugin.json'), '{"before":true}')
    await writeEntry(`{ apiVersion: 1, id: 'tool-dice', config: Type.Object({ at: { type: 'Date' } }) }`)
    const built = await run('build', folder)
    expect(built.status).to.equal(1)
    expect(built.error).to.contain('/config/properties/at/type: must be one of')
    expect(await written()).to.deep.equal({ before: true })
  })

  it('reports that code and plugin.json differ', async () => {
    await writeEntry(`{ apiVersion: 1, id: 'tool-dice', contributes: ['tool'] }`)
    await run('build', folder)
    await writeEntry(`{ apiVersion: 1, id: 'tool-dice', contributes: ['tool', 'http.route'] }`)
    const checked = await run('validate', folder)
    expect(checked.status).to.equal(1)
    expect(checked.error).to.contain("differ in contributes. Run the plugin's build again (agent-service-plugin build)")
  })

  const writeSetup = (manifest: string, setup: string): Promise<void> =>
    writeFile(
      path.join(folder, 'dist/index.js'),
      `import { definePlugin, defineServiceReference, Type } from ${JSON.stringify(sdk)}
       const point = { id: 'tool', keyOf: (tool) => tool.name }
       export default definePlugin({ manifest: { apiVersion: 1, id: 'tool-dice', ${manifest} }, setup(context) { ${setup} } })`,
    )

  it('runs setup in a stub host, and reports what a deployment would report', async () => {
    const outcomes: readonly (readonly [string, string, RegExp])[] = [
      ['', `context.log.info('fine')`, /^Setup ran\.$/m],
      ['', `throw new Error('no dice')`, /setup failed: no dice/],
      ['', `context.contribute(point, { specVersion: 1, name: 'x' })`, /Add "tool" to “contributes”/],
      [
        `contributes: ['tool']`,
        `context.contribute(point, { specVersion: 1, name: 'x', parameters: { type: 'Date' } })`,
        /\/parameters\/type/,
      ],
      ['', `context.onDispose(() => { throw new Error('still open') })`, /^ {2}stopping it failed: still open$/m],
      [`requires: ['books']`, `context.use(defineServiceReference('books'))`, /Setup was not tried: it uses “books”/],
      [`config: Type.Object({ key: Type.String() })`, '', /settings without a default \(\/key\).*--config/],
    ]
    for (const [manifest, setup, message] of outcomes) {
      await writeSetup(manifest, setup)
      expect((await run('build', folder)).error).to.equal('')
      const validated = await run('validate', folder)
      expect(validated.out + validated.error).to.match(message)
    }
    await writeFile(path.join(folder, 'settings.json'), '{ "key": 5 }')
    expect((await run('validate', folder, '--config', path.join(folder, 'settings.json'))).error).to.contain('/key must be a string')
    await writeFile(path.join(folder, 'settings.json'), '{ "key": "five" }')
    const given = await run('validate', folder, '--config', path.join(folder, 'settings.json'))
    expect(given.out)
      .to.match(/^Setup ran\.$/m)
      .and.contain('Advice: package.json has no “name”')
  })

  it('says where plugin.json is not JSON, without a stack', async () => {
    await writeFile(path.join(folder, 'dist/plugin.json'), '{ "id": ')
    const { status, error } = await run('validate', folder)
    expect(status).to.equal(1)
    expect(error)
      .to.include(`${path.join(folder, 'dist/plugin.json')} is not JSON: `)
      .and.not.match(/^ *at /m)
    await writeFile(path.join(folder, 'dist/plugin.json'), '[]')
    expect((await run('validate', folder)).error).to.include('plugin.json is not valid: / must be an object')
  })

  it('leaves a hand-written manifest in stage “declared” as it is', async () => {
    await writePackage({ version: '1.2.3', agentService: { plugin: './plugin.json' } })
    const text = JSON.stringify({ id: 'channel-pigeon', apiVersion: 1, version: '1.2.3', stage: 'declared' })
    await writeFile(path.join(folder, 'plugin.json'), text)
    expect((await run('build', folder)).status).to.equal(0)
    expect((await run('validate', folder)).status).to.equal(0)
    expect(await readFile(path.join(folder, 'plugin.json'), 'utf8')).to.equal(text)
  })

  it('refuses a hand-written manifest of another version, and one whose rules are missing', async () => {
    await writePackage({ version: '1.2.3', agentService: { plugin: './plugin.json' } })
    const write = (more: object): Promise<void> =>
      writeFile(path.join(folder, 'plugin.json'), JSON.stringify({ id: 'channel-pigeon', apiVersion: 1, stage: 'declared', ...more }))
    for (const command of ['build', 'validate']) {
      await write({ version: '1.2.2' })
      expect((await run(command, folder)).error).to.contain('plugin.json has version 1.2.2, package.json has 1.2.3')
      await write({ version: '1.2.3', rules: './dist/rules.js' })
      expect((await run(command, folder)).error).to.contain('“rules” names ./dist/rules.js, which does not exist')
    }
  })

  const faults: readonly (readonly [string, () => Promise<unknown>, RegExp])[] = [
    ['a package.json without agentService', () => writePackage({ version: '1.0.0' }), /add "agentService"/],
    ['a package.json without a version', () => writePackage({ agentService: { plugin: './dist/plugin.json' } }), /no “version”/],
    [
      'a manifest outside the folder',
      () => writePackage({ version: '1.0.0', agentService: { plugin: '../plugin.json' } }),
      /leads out of the folder/,
    ],
    ['no compiled entry', () => Promise.resolve(), /Compile the plugin first/],
    [
      'an entry that throws',
      () => writeFile(path.join(folder, 'dist/index.js'), 'throw new Error("at import")'),
      /importing .* failed: at import/,
    ],
    ['another default export', () => writeFile(path.join(folder, 'dist/index.js'), 'export default {}'), /export default definePlugin/],
    [
      'missing rules',
      () => writeEntry(`{ apiVersion: 1, id: 'tool-dice', rules: './rules.js' }`),
      /“rules” names \.\/rules\.js, which does not exist/,
    ],
  ]
  for (const [name, arrange, message] of faults) {
    it(`fails with a readable error: ${name}`, async () => {
      await arrange()
      const built = await run('build', folder)
      expect(built.status).to.equal(1)
      expect(built.error).to.match(message)
    })
  }

  it('returns 2 for unknown commands', async () => {
    expect((await run('bake', folder)).status).to.equal(2)
    expect((await run('validate', folder, 'more')).status).to.equal(2)
  })

  it('builds several plugins, also those after one that fails, and names that one', async () => {
    await writeEntry(`{ apiVersion: 1, id: 'tool-dice' }`)
    const missing = path.join(folder, 'missing')
    const built = await run('build', missing, folder)
    expect(built.error).to.contain(missing)
    expect(built.out).to.match(/^tool-dice 1\.2\.3: wrote /)
    expect(built.status).to.equal(1)
    expect(await written()).to.include({ id: 'tool-dice' })
    expect((await run('build', folder, folder)).status).to.equal(0)
  })

  it('prints the schema of plugin.json', async () => {
    const { out } = await run('schema')
    expect(JSON.parse(out)).to.have.nested.property('properties.entry')
  })
})
