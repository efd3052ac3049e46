import { execFileSync } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { loadConfiguration } from '../load-configuration.js'
import { load, problemsOf, refusalOf, temporaryFolder } from '../testing/configuration-fixture.js'

describe('configuration file', () => {
  it('is absent, empty or only comments: all defaults', async () => {
    for (const yaml of [undefined, '', '# nothing\n', '---\n', '\ufeff# marked\n', 'server:\nproviders:\n']) {
      const { server, file, folder } = await load(yaml === undefined ? {} : { yaml })
      expect(server.port, String(yaml)).to.equal(3001)
      expect(file.path).to.equal(join(folder, 'data', 'config.yaml'))
      expect(file.exists).to.equal(yaml !== undefined)
      expect(file.revision).to.match(yaml === undefined ? /^null$/ : /^[0-9a-f]{64}$/)
    }
  })

  const unreadable: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['a duplicate key', 'server:\n  port: 1\n  port: 2\n', /is here twice \(3:3\)/],
    ['a second document', 'server: {}\n---\nserver: {}\n', /second document/],
    ['a tab', 'server:\n\tport: 1\n', /tab indents this line.* \(2:/],
    ['no sections', '- a\n', /must contain sections/],
    ['text alone', 'hello\n', /must contain sections/],
    ['bytes that are no UTF-8', Buffer.from([0x73, 0x3a, 0x20, 0xff]), /not valid UTF-8/],
    ['UTF-16', Buffer.from('\ufeffserver: {}', 'utf16le'), /not valid UTF-8/],
    ['an unknown tag', 'server: !magic {}\n', /tag/],
    ['a key that is no text', '? [a]\n: 1\n', /key must be text/],
    ['an alias to nothing', 'server: *none\n', /the anchor “none” does not exist \(1:9\)/],
    ['not a number', 'server: { port: .nan }\n', /not a number, text/],
    ['an open bracket', 'server: {port: 1\n', /not valid YAML/],
    ['__proto__', 'server: { __proto__: { port: 1 } }\n', /not an allowed key/],
  ]
  for (const [name, yaml, message] of unreadable) {
    it(`is refused with its place: ${name}`, async () => {
      expect((await refusalOf({ yaml })).join('\n')).to.match(message)
    })
  }

  it('limits the growth by aliases and nesting', async () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefgh'.split('').map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[index]}`).join(', ')}]`),
    ]
    expect((await refusalOf({ yaml: bomb.join('\n') })).join('\n')).to.match(/more than 100000 values/)
    expect((await refusalOf({ yaml: 'server: &s { a: *s }\n' })).join('\n')).to.match(/contains itself/)
    expect((await refusalOf({ yaml: `server: ${'['.repeat(100)}${']'.repeat(100)}` })).join('\n')).to.match(/nested/)
    for (const nesting of ['[', '{a: ', '- ', '? ', '[{a: '])
      expect((await refusalOf({ yaml: nesting.repeat(20_000) })).join('\n'), nesting).to.match(
        /nested more than 64 levels deep \(|not valid YAML/,
      )
  })

  it('may use aliases within limits', async () => {
    const { server } = await load({ yaml: 'server: { base_url: &url "https://a.example", backend_url: *url }\n' })
    expect(server.backend_url).to.equal('https://a.example')
  })

  it('is at most 1 MiB', async () => {
    expect((await load({ yaml: `#${'x'.repeat(1024 * 1024 - 1)}` })).file.exists).to.equal(true)
    expect((await refusalOf({ yaml: `#${'x'.repeat(1024 * 1024)}` })).join('\n')).to.match(/at most 1048576/)
  })

  it('shows nothing from a line that cannot be parsed', async () => {
    const problems = await refusalOf({ yaml: 'providers: { work: { api_key: sk-canary-12345678 } canary-two }\n canary-three\n' })
    expect(problems.join('\n')).to.not.contain('canary')
  })

  describe('at its location', () => {
    const attempt =
      (path: string, environment: Readonly<Record<string, string>> = {}) =>
      async () =>
        loadConfiguration({ environment: { SERVICE_CONFIG: path, ...environment }, workingDirectory: '/', installedResources: '/r' })

    it('is refused if SERVICE_CONFIG names a missing file, a folder, a pipe or a dangling link', async () => {
      const folder = await temporaryFolder()
      await symlink(join(folder, 'gone'), join(folder, 'link'))
      execFileSync('mkfifo', [join(folder, 'pipe')])
      const messageOf = async (name: string): Promise<string> => (await problemsOf(attempt(join(folder, name))))[0]?.message ?? ''
      expect(await messageOf('none')).to.match(/does not exist.*SERVICE_CONFIG/)
      expect(await messageOf('.')).to.match(/is a folder/)
      expect(await messageOf('link')).to.match(/link to a missing file/)
      expect(await messageOf('pipe')).to.match(/not a regular file/)
    })

    it('is refused at the default location too if it is a dangling link or its parent is not a folder', async () => {
      const folder = await temporaryFolder()
      await mkdir(join(folder, 'data'))
      await symlink('gone', join(folder, 'data', 'config.yaml'))
      await writeFile(join(folder, 'file'), '')
      const at = (dataDir: string) => async () =>
        loadConfiguration({ environment: { SERVICE_SERVER_DATA_DIR: dataDir }, workingDirectory: folder, installedResources: '/r' })
      expect((await problemsOf(at('data')))[0]?.message).to.match(/link to a missing file/)
      expect((await problemsOf(at('file')))[0]?.message).to.match(/cannot be read/)
    })

    it('is refused if it is not readable', async () => {
      const folder = await temporaryFolder()
      const path = join(folder, 'config.yaml')
      await writeFile(path, 'server: {}')
      await chmod(path, 0)
      // Root reads everything, so for root the file counts as read.
      if (process.getuid?.() === 0) expect((await attempt(path)()).file.exists).to.equal(true)
      else expect((await problemsOf(attempt(path)))[0]?.message).to.match(/cannot be read/)
    })

    it('is located by SERVICE_CONFIG, or else by SERVICE_SERVER_DATA_DIR', async () => {
      const folder = await temporaryFolder()
      await writeFile(join(folder, 'config.yaml'), 'server: { port: 1 }')
      await writeFile(join(folder, 'other.yaml'), 'server: { port: 2 }')
      const portOf = async (environment: Readonly<Record<string, string>>): Promise<number> =>
        (await loadConfiguration({ environment, workingDirectory: folder, installedResources: '/r' })).kernel.server.port
      expect(await portOf({ SERVICE_SERVER_DATA_DIR: folder })).to.equal(1)
      expect(await portOf({ SERVICE_SERVER_DATA_DIR: folder, SERVICE_CONFIG: 'other.yaml' })).to.equal(2)
      expect(await portOf({ SERVICE_CONFIG: '', SERVICE_SERVER_DATA_DIR: '' })).to.equal(3001)
    })
  })
})
