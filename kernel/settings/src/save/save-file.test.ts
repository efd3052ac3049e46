import { chmod, chown, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDurableFileSystem, type DurableFileSystem, openLockFile } from '@agent-service/kernel-core/disk'
import { expect } from 'chai'
import { failureOf, openDesk, refusal } from './fixture.test.js'

const failing = (code: string): Error => Object.assign(new Error(code), { code })

describe('saving the configuration: the file', () => {
  it('is readable for its owner alone, with the one before beside it', async () => {
    const desk = await openDesk({ yaml: '# one\n' })
    await chmod(desk.path, 0o644)
    await desk.save({ set: { 'server.port': 1 } })
    await desk.save({ set: { 'server.port': 2 } })
    const folder = dirname(desk.path)
    expect((await readdir(folder)).sort()).to.deep.equal(['config.yaml', 'config.yaml.lock', 'config.yaml.previous'])
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777, name).to.equal(0o600)
    expect(await desk.text()).to.equal('# one\nserver:\n  port: 2\n')
    expect(await readFile(`${desk.path}.previous`, 'utf8')).to.equal('# one\nserver:\n  port: 1\n')
  })

  it('stays with its owner when the machine’s administrator saves', async () => {
    const desk = await openDesk({ yaml: 'server: { port: 1 }\n' })
    const owner = process.getuid?.() === 0 ? 4711 : (process.getuid?.() ?? 0)
    if (process.getuid?.() === 0) await chown(desk.path, owner, owner)
    await desk.save({ set: { 'server.port': 2 } })
    for (const name of await readdir(dirname(desk.path))) expect((await stat(join(dirname(desk.path), name))).uid, name).to.equal(owner)
  })

  it('is made where there is none, with its folder, and nothing is made when nothing is to be said', async () => {
    const desk = await openDesk()
    await rm(dirname(desk.path), { recursive: true })
    const { revision, exists, saved } = await desk.editor.read()
    expect({ exists, saved }).to.deep.equal({ exists: false, saved: {} })
    expect((await desk.editor.save({ set: { 'server.port': 3001 } }, revision)).changed).to.equal(false)
    expect((await desk.editor.read()).exists).to.equal(false)
    expect((await desk.editor.save({ set: { 'server.port': 1 } }, revision)).changed).to.equal(true)
    expect(await desk.text()).to.equal('server:\n  port: 1\n')
    expect((await stat(dirname(desk.path))).mode & 0o777).to.equal(0o700)
    expect(await failureOf(desk.editor.save({ set: { 'server.port': 2 } }, revision))).to.include({ code: 'stale_config' })
  })

  it('is not made where the operator names one that is not there', async () => {
    const desk = await openDesk({ environment: { SERVICE_CONFIG: 'elsewhere.yaml' } })
    expect((await desk.editor.read()).problems[0]?.message).to.match(/does not exist/)
    expect((await refusal(desk.save({ set: { 'server.port': 1 } }))).join()).to.match(/does not exist/)
    await writeFile(join(desk.folder, 'elsewhere.yaml'), '')
    await desk.save({ set: { 'server.port': 1 } })
    expect(await readFile(join(desk.folder, 'elsewhere.yaml'), 'utf8')).to.equal('server:\n  port: 1\n')
  })

  it('is replaced behind a symbolic link, which stays', async () => {
    const desk = await openDesk()
    await mkdir(join(desk.folder, 'mounted'))
    await writeFile(join(desk.folder, 'mounted', 'real.yaml'), 'server: { port: 1 }\n')
    await symlink('../mounted/real.yaml', desk.path)
    await desk.save({ set: { 'server.port': 2 } })
    expect((await lstat(desk.path)).isSymbolicLink()).to.equal(true)
    expect(await readFile(join(desk.folder, 'mounted', 'real.yaml'), 'utf8')).to.equal('server: { port: 2 }\n')
    expect((await readdir(join(desk.folder, 'mounted'))).sort()).to.deep.equal(['real.yaml', 'real.yaml.lock', 'real.yaml.previous'])
    expect(await readdir(dirname(desk.path))).to.deep.equal(['config.yaml'])
    await rm(join(desk.folder, 'mounted', 'real.yaml'))
    expect((await refusal(desk.save({ set: { 'server.port': 3 } }))).join()).to.match(/link to a missing file/)
  })

  it('keeps its byte order mark, and stays when it is no UTF-8 or cannot be parsed', async () => {
    const desk = await openDesk({ yaml: '\ufeffserver: { port: 1 }\n' })
    await desk.save({ set: { 'server.port': 2 } })
    expect(await desk.text()).to.equal('\ufeffserver: { port: 2 }\n')
    for (const content of [Buffer.from([0x73, 0x3a, 0x20, 0xff]), Buffer.from('server: [')]) {
      await writeFile(desk.path, content)
      expect(await refusal(desk.save({ set: { 'server.port': 3 } }))).to.have.length(1)
      expect((await readFile(desk.path)).equals(content)).to.equal(true)
    }
  })

  it('is free of what a killed save left', async () => {
    const desk = await openDesk({ yaml: 'server: { port: 1 }\n' })
    for (const name of [`${desk.path}.new`, `${desk.path}.previous.new`]) await writeFile(name, 'server: { po')
    expect((await desk.save({ set: { 'server.port': 1 } })).changed).to.equal(false)
    expect((await readdir(dirname(desk.path))).sort()).to.deep.equal(['config.yaml', 'config.yaml.lock'])
  })

  it('is left alone when it was changed by hand while the save was under way', async () => {
    const real = createDurableFileSystem()
    const fileSystem: DurableFileSystem = {
      ...real,
      syncFile: async (path) => {
        await real.syncFile(path)
        if (path === `${desk.path}.new`) await writeFile(desk.path, 'server: { port: 7 } # by hand\n')
      },
    }
    const desk = await openDesk({ yaml: 'server: { port: 1 }\n', fileSystem })
    expect(await failureOf(desk.save({ set: { 'server.port': 2 } }))).to.include({ code: 'stale_config' })
    expect(await desk.text()).to.equal('server: { port: 7 } # by hand\n')
    expect(await readdir(dirname(desk.path))).to.not.include('config.yaml.new')
  })

  for (const [code, name, status] of [
    ['ENOSPC', 'storage_full', 507],
    ['EROFS', 'configuration_not_writable', 409],
  ] as const)
    it(`stays as it was when it cannot be written (${code})`, async () => {
      const real = createDurableFileSystem()
      let broken = true
      const fileSystem: DurableFileSystem = {
        ...real,
        writeFile: async (path, text, owner) => {
          if (!broken || path.includes('previous')) return real.writeFile(path, text, owner)
          await real.writeFile(path, text.slice(0, 5), owner)
          throw failing(code)
        },
      }
      const desk = await openDesk({ yaml: 'server: { port: 1 }\n', fileSystem })
      const error = await failureOf(desk.save({ set: { 'server.port': 2 } }))
      expect(error).to.include({ code: name, status })
      expect(error.message).to.contain(desk.path)
      expect(await desk.text()).to.equal('server: { port: 1 }\n')
      expect(await readdir(dirname(desk.path))).to.not.include('config.yaml.new')
      broken = false
      await desk.save({ set: { 'server.port': 2 } })
      expect(await desk.text()).to.equal('server: { port: 2 }\n')
    })

  it('says that it is mounted by itself', async () => {
    const rename = (): Promise<never> => Promise.reject(failing('EBUSY'))
    const desk = await openDesk({ yaml: 'server: { port: 1 }\n', fileSystem: { ...createDurableFileSystem(), rename } })
    expect((await failureOf(desk.save({ set: { 'server.port': 2 } }))).message).to.match(/mount its folder instead/)
  })

  it('is waited for while another save has it, and not for ever', async () => {
    const desk = await openDesk({ yaml: 'server: { port: 1 }\n', lockTimeoutMs: 60 })
    const { file } = await openLockFile(`${desk.path}.lock`)
    const error = await failureOf(desk.save({ set: { 'server.port': 2 } }))
    expect(error).to.include({ code: 'configuration_busy', status: 503, retryAfterSeconds: 1 })
    await file.close()
    await desk.save({ set: { 'server.port': 2 } })
    expect(await desk.text()).to.equal('server: { port: 2 }\n')
  })

  it('goes through every save of many at once that is not told to be stale', async () => {
    const desk = await openDesk({ yaml: 'server: { port: 1 }\n' })
    const { revision } = await desk.editor.read()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => desk.editor.save({ set: { 'server.port': 100 + index } }, revision)),
    )
    const won = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [index] : []))
    expect(won).to.have.length(1)
    expect(await desk.text()).to.equal(`server: { port: ${100 + (won[0] ?? 0)} }\n`)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).to.include({ code: 'stale_config' })
  })
})
