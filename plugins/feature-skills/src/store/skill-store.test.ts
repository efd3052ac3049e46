import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packFiles } from '../archives/read-archive.js'
import { limits } from '../common/limits.js'
import { createHostSkillFolder } from '../folders/host-skill-folder.js'
import type { SkillFolder } from '../folders/skill-folder.js'
import { skillText } from '../test-support/archives.js'
import { createSkillStore } from './skill-store.js'

const { signal } = new AbortController()
const origin = { kind: 'archive', from: 'notes.zip' } as const
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const skill = (name: string, more = '') =>
  packFiles([
    { path: 'SKILL.md', bytes: bytes(skillText(name, more)) },
    { path: 'scripts/run.py', bytes: bytes(`print("${more}")\n`) },
  ])

class Killed extends Error {}

/** A folder whose process dies before its nth step that changes something. */
function dying(folder: SkillFolder, steps: number): SkillFolder {
  let left = steps
  const step = (): void => {
    if (left <= 0) throw new Killed('The process is dead.')
    left -= 1
  }
  const alive = (): void => {
    if (left < 0) throw new Killed('The process is dead.')
  }
  return {
    ...folder,
    async list(...given) {
      alive()
      return folder.list(...given)
    },
    async write(...given) {
      step()
      await folder.write(...given)
    },
    async move(...given) {
      step()
      await folder.move(...given)
    },
    async remove(...given) {
      step()
      await folder.remove(...given)
    },
  }
}

describe('a store of skills', () => {
  let root: string
  let now = 0
  const clock = { monotonic: () => now, now: () => Date.parse('2026-01-01T00:00:00Z') }
  const open = (folder = createHostSkillFolder(root)) => createSkillStore(folder, { clock, writable: true })
  const passes = (): void => {
    now += 2_000
  }

  beforeEach(async () => {
    root = join(await mkdtemp(join(tmpdir(), 'skills-')), 'place')
  })
  afterEach(() => rm(join(root, '..'), { recursive: true, force: true }))

  it('is empty before anything is written, and makes its folder then', async () => {
    const store = open()
    expect(await store.list()).to.deep.equal([])
    await store.install(skill('notes'), { origin, replace: false, signal })
    expect((await store.list()).map(({ name, document }) => [name, document?.description])).to.deep.equal([
      ['notes', 'Does notes. Use it for notes.'],
    ])
    expect((await readdir(root)).filter((name) => !name.startsWith('.'))).to.deep.equal(['notes'])
    expect(await readdir(join(root, '.staging'))).to.deep.equal([])
  })

  it('installs a name once, replaces it when asked, and says what was changed since', async () => {
    const store = open()
    const first = await store.install(skill('notes', 'one'), { origin, replace: false, signal })
    expect(first).to.include({ name: 'notes', installed_at: '2026-01-01T00:00:00.000Z' })
    expect(Object.keys(first.files)).to.deep.equal(['SKILL.md', 'scripts/run.py'])
    const again = await store.install(skill('notes', 'two'), { origin, replace: false, signal }).catch((error: unknown) => error)
    expect(again).to.have.property('code', 'skill_exists')
    expect(await store.changes('notes')).to.deep.include({ sha256: first.sha256, added: [], changed: [], removed: [] })
    await writeFile(join(root, 'notes/scripts/run.py'), 'print("changed")\n')
    await writeFile(join(root, 'notes/more.md'), 'more')
    expect(await store.changes('notes')).to.deep.include({ added: ['more.md'], changed: ['scripts/run.py'], removed: [] })
    for (const name of ['constructor', '__proto__']) await writeFile(join(root, 'notes', name), 'x')
    expect(await store.changes('notes')).to.deep.include({ added: ['__proto__', 'constructor', 'more.md'], changed: ['scripts/run.py'] })
    const second = await store.install(skill('notes', 'two'), { origin, replace: true, signal })
    expect(second.sha256).not.to.equal(first.sha256)
    expect(await store.changes('notes')).to.deep.include({ sha256: second.sha256, added: [], changed: [], removed: [] })
    await store.remove('notes')
    expect(await store.list()).to.deep.equal([])
    expect(await store.lock('notes')).to.equal(undefined)
  })

  it('leaves the old or the new, wherever its process ends', async () => {
    for (const change of ['install', 'replace', 'remove'] as const) {
      const before = change === 'install' ? undefined : 'one'
      const after = change === 'remove' ? undefined : 'two'
      const seen = new Set<string | undefined>()
      let finished = false
      for (let steps = 0; !finished; steps += 1) {
        await rm(root, { recursive: true, force: true })
        if (before) await open().install(skill('notes', before), { origin, replace: false, signal })
        const store = open(dying(createHostSkillFolder(root), steps))
        const work = change === 'remove' ? store.remove('notes') : store.install(skill('notes', 'two'), { origin, replace: true, signal })
        finished = await work.then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof Killed)) throw error
            return false
          },
        )
        const later = open()
        const [found, ...more] = await later.list()
        expect(more).to.deep.equal([])
        const text = found && new TextDecoder().decode((await later.read('notes', 'scripts/run.py'))?.bytes)
        const state = text === undefined ? undefined : text.includes('two') ? 'two' : 'one'
        expect([before, after], `${change} after ${steps} steps`).to.include(state)
        seen.add(state)
        if (found)
          expect(await later.changes('notes'), `${change} after ${steps} steps`).to.deep.include({ added: [], changed: [], removed: [] })
        expect(await later.lock('notes')).to[found ? 'not' : 'be'].equal(undefined)
        for (const room of ['.staging', '.trash']) expect(await readdir(join(root, room)).catch(() => []), room).to.deep.equal([])
      }
      expect([...seen], change).to.have.members([before, after])
    }
  })

  it('sees what is put there, edited and removed by hand, and disables only what is broken', async () => {
    const store = open()
    await mkdir(join(root, 'good'), { recursive: true })
    await writeFile(join(root, 'good/SKILL.md'), skillText('good'))
    await mkdir(join(root, 'bad'))
    await writeFile(join(root, 'bad/SKILL.md'), '---\nname: bad\nlicense: x\ndescription: [x]\n---\n')
    await mkdir(join(root, 'empty'))
    await symlink('/etc', join(root, 'link'))
    const states = async () =>
      (await store.list()).map(({ name, problem }) => [name, problem ? `${problem.file}:${problem.line}` : 'ready'])
    expect(await states()).to.deep.equal([
      ['bad', 'SKILL.md:4'],
      ['empty', 'SKILL.md:1'],
      ['good', 'ready'],
    ])
    await writeFile(join(root, 'bad/SKILL.md'), skillText('bad'))
    await utimes(join(root, 'bad/SKILL.md'), 1, 1)
    await rm(join(root, 'good'), { recursive: true })
    passes()
    expect(await states()).to.deep.equal([
      ['bad', 'ready'],
      ['empty', 'SKILL.md:1'],
    ])
  })

  it('gives no file but those of the skill, whatever the path and the links', async () => {
    const store = open()
    await store.install(skill('notes'), { origin, replace: false, signal })
    await writeFile(join(root, 'secret.txt'), 'secret')
    await symlink('/etc/passwd', join(root, 'notes/passwd'))
    await symlink('/etc', join(root, 'notes/etc'))
    for (const path of ['../secret.txt', '/etc/passwd', 'passwd', 'etc/passwd', 'scripts', '.', '', 'a\0b', 'scripts/../../secret.txt'])
      expect(await store.read('notes', path), path).to.equal(undefined)
    for (const name of ['.lock', '..', '.', 'other', ''])
      expect(await store.read(name, 'notes.json').catch((error: unknown) => (error as { code?: string }).code), name).to.equal('not_found')
    expect((await store.files('notes')).map(({ path }) => path)).to.deep.equal(['SKILL.md', 'scripts/run.py'])
  })

  it('writes and removes files, over what the writer has seen, and never breaks SKILL.md', async () => {
    const store = open()
    await store.install(skill('notes'), { origin, replace: false, signal })
    const code = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: unknown) => (error as { code?: string }).code,
      )
    const written = await store.writeFile('notes', { path: 'references/a.md', bytes: bytes('a') }, { signal })
    expect(await code(store.writeFile('notes', { path: 'references/a.md', bytes: bytes('b') }, { ifMatch: '"other"', signal }))).to.equal(
      'precondition_failed',
    )
    expect(
      await code(store.writeFile('notes', { path: 'references/a.md', bytes: bytes('b') }, { ifMatch: written.etag, signal })),
    ).to.equal('done')
    expect(await code(store.writeFile('notes', { path: 'References/A.md', bytes: bytes('b') }, { signal }))).to.equal('skill_refused')
    expect(await code(store.writeFile('notes', { path: '../a.md', bytes: bytes('b') }, { signal }))).to.equal('skill_refused')
    expect(await code(store.writeFile('notes', { path: 'SKILL.md', bytes: bytes('# no') }, { signal }))).to.equal('skill_invalid')
    expect(await code(store.removeFile('notes', 'SKILL.md'))).to.equal('skill_refused')
    expect(await code(store.removeFile('notes', 'references/a.md'))).to.equal('done')
    expect(await code(store.writeFile('none', { path: 'a.md', bytes: bytes('b') }, { signal }))).to.equal('not_found')
  })

  it('finds files that were copied by hand with decomposed names, by both forms', async () => {
    const [composed, decomposed] = ['docs/Gr\u00f6ße.md', 'docs/Gro\u0308ße.md']
    await mkdir(join(root, 'notes/docs'), { recursive: true })
    await writeFile(join(root, 'notes/SKILL.md'), skillText('notes'))
    await writeFile(join(root, 'notes', decomposed), 'one')
    const store = open()
    for (const path of [composed, decomposed])
      expect(new TextDecoder().decode((await store.read('notes', path))?.bytes), path).to.equal('one')
    await store.writeFile('notes', { path: composed, bytes: bytes('two') }, { signal })
    expect(await readdir(join(root, 'notes/docs'))).to.deep.equal(['Gro\u0308ße.md'])
    expect(new TextDecoder().decode((await store.read('notes', decomposed))?.bytes)).to.equal('two')
    await store.removeFile('notes', composed)
    await store.writeFile('notes', { path: decomposed, bytes: bytes('three') }, { signal })
    expect(await readdir(join(root, 'notes/docs'))).to.deep.equal(['Gr\u00f6ße.md'])
  })

  it('names the file that is written in lower case, and the skills that are too many', async () => {
    await mkdir(join(root, 'lower'), { recursive: true })
    await writeFile(join(root, 'lower/skill.md'), skillText('lower'))
    for (let index = 0; index < limits.maxSkills; index += 1) {
      await mkdir(join(root, `many-${index}`))
      await writeFile(join(root, `many-${index}/SKILL.md`), skillText(`many-${index}`))
    }
    const skills = await open().list()
    expect(skills.find(({ name }) => name === 'lower')?.problem?.message).to.equal('the file is missing; there is “skill.md”, rename it')
    expect(skills).to.have.length(limits.maxSkills + 1)
    expect(skills.filter(({ problem }) => problem?.message.includes('at most 200 skills'))).to.have.length(1)
  })
})
