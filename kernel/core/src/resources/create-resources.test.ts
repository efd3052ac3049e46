import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import { createResources } from './create-resources.js'

const codeOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'read',
    (error: unknown) => (ServiceError.isInstance(error) ? error.code : String(error)),
  )

describe('resources', () => {
  let base = ''
  let folder = ''

  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'resources-'))
    folder = join(base, 'resources')
    await mkdir(join(folder, 'prompts', 'deep'), { recursive: true })
    await mkdir(join(base, 'resources-else'))
    await writeFile(join(base, 'secret.txt'), 'secret')
    await writeFile(join(base, 'resources-else', 'near.txt'), 'secret')
    await writeFile(join(folder, 'prompts', 'b.md'), 'Grüße')
    await writeFile(join(folder, 'prompts', 'a.md'), '')
    await writeFile(join(folder, 'prompts', 'large.md'), 'x'.repeat(101))
    await writeFile(join(folder, 'prompts', 'limit.md'), 'x'.repeat(100))
    await writeFile(join(folder, 'prompts', 'bytes.md'), Buffer.from([0xff]))
    await symlink('../../secret.txt', join(folder, 'prompts', 'out.md'))
    await symlink('../..', join(folder, 'up'))
    await symlink('../resources-else', join(folder, 'near'))
    await symlink('b.md', join(folder, 'prompts', 'inside.md'))
    await symlink('loop.md', join(folder, 'prompts', 'loop.md'))
    execFileSync('mkfifo', [join(folder, 'prompts', 'pipe')])
  })
  after(() => rm(base, { recursive: true, force: true }))

  const resources = (): ReturnType<typeof createResources> => createResources({ folder, limitBytes: 100 })

  it('lists the files of a folder, sorted, without folders, links and pipes', async () => {
    expect(await resources().list('prompts')).to.deep.equal(['a.md', 'b.md', 'bytes.md', 'large.md', 'limit.md'])
    expect(await resources().list('')).to.deep.equal([])
    expect(await resources().list('none')).to.deep.equal([])
    expect(await resources().list('prompts/b.md')).to.deep.equal([])
    expect(await createResources({ folder: join(base, 'gone') }).list('prompts')).to.deep.equal([])
  })

  it('reads text, also through a link that stays inside', async () => {
    expect(await resources().read('prompts/b.md')).to.equal('Grüße')
    expect(await resources().read('prompts/inside.md')).to.equal('Grüße')
    expect(await resources().read('prompts/a.md')).to.equal('')
    expect(await resources().read('prompts/limit.md')).to.have.length(100)
  })

  it('names a missing resource', async () => {
    for (const path of ['none.md', 'prompts', 'prompts/pipe', 'prompts/b.md/x', 'prompts/loop.md'])
      expect(await codeOf(resources().read(path)), path).to.equal('not_found')
    expect(await codeOf(createResources({ folder: join(base, 'gone') }).read('a'))).to.equal('not_found')
  })

  it('never leaves its folder, by name or by link', async () => {
    for (const path of [
      '../secret.txt',
      '/etc/passwd',
      'prompts/../../secret.txt',
      'a//b',
      './a',
      'a/.',
      '',
      'a\\b',
      'a\0b',
      '..',
      'x'.repeat(2000),
    ])
      expect(await codeOf(resources().read(path)), path).to.equal('resource_path_refused')
    for (const path of ['prompts/out.md', 'up/secret.txt', 'near/near.txt'])
      expect(await codeOf(resources().read(path)), path).to.equal('not_found')
    expect(await codeOf(resources().list('../resources-else'))).to.equal('resource_path_refused')
    for (const path of ['up', 'near']) expect(await resources().list(path), path).to.deep.equal([])
  })

  it('refuses a resource that is too large or not text', async () => {
    expect(await codeOf(resources().read('prompts/large.md'))).to.equal('resource_too_large')
    expect(await codeOf(resources().read('prompts/bytes.md'))).to.match(/ERR_ENCODING_INVALID_ENCODED_DATA|TypeError/)
  })
})
