import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonValue } from '@agent-service/sdk'
import { describeCliCommand } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { checkSkillCommand, createSkillCommand, removeSkillCommand, updateSkillCommand } from './change-skill.js'
import { eachSkill } from './each-skill.js'
import { installSkillCommand } from './install-skill.js'
import { listSkillsCommand } from './list-skills.js'
import { bodyFromDisk, filesOf, skillPaths, unreadableError } from './read-disk.js'
import { showSkillCommand } from './show-skill.js'

const installation = {
  origin: 'url',
  from: 'https://example.org/notes.zip',
  version: '1.0',
  sha256: 'ab12',
  installed_at: '2026-01-01T00:00:00Z',
}
const notes = { name: 'notes', source: 'user', description: 'Takes notes.', problem: null, shadowed_by: null, installation }
const bundled = { ...notes, source: 'bundled', description: 'Takes plain notes.', shadowed_by: 'user', installation: null }
const broken = { ...notes, name: 'broken', description: '', problem: { file: 'SKILL.md', line: 3, message: '“name” is missing' } }
const files = [{ path: 'SKILL.md', size: 120 }]
const answers: Readonly<Record<string, JsonValue>> = {
  'GET /api/skills?limit=200': { items: [bundled, notes, broken], next_cursor: null },
  'GET /api/skills/user/notes': { ...notes, files },
  'GET /api/skills/user/notes/check': {
    state: 'changed',
    sha256: 'cd34',
    installation,
    added: ['a.md'],
    changed: ['SKILL.md'],
    removed: [],
  },
  'GET /api/skills/shared/notes/check': { state: 'unchanged', sha256: 'ab12', installation, added: [], changed: [], removed: [] },
  'POST /api/skills/install': { ...notes, warnings: [{ file: 'SKILL.md', line: 3, message: 'put it in quotes' }] },
  'POST /api/admin/skills/install': { ...notes, source: 'shared' },
  'POST /api/skills/user/notes/check': { name: 'notes', state: 'changed', sha256: 'ef56', version: null },
  'POST /api/admin/skills/notes/check': { name: 'notes', state: 'unchanged', sha256: 'ab12', version: null },
  'POST /api/skills/user/notes/update': { ...notes },
  'DELETE /api/admin/skills/notes': null,
  'POST /api/skills': { ...notes },
}
const answer = (method: string, at: string): JsonValue => answers[`${method} ${at}`] ?? null

describeCliCommand({
  name: 'skills list',
  create: () => listSkillsCommand,
  examples: [
    {
      title: 'all sources, what is replaced, and where a broken one is broken',
      answer,
      check({ lines, warnings }) {
        expect(lines).to.deep.equal([
          'NAME  SOURCE  STATE  DESCRIPTION',
          'notes  bundled  replaced by user  Takes plain notes.',
          'notes  user  ready  Takes notes.',
          'broken  user  broken',
        ])
        expect(warnings).to.deep.equal(['broken/SKILL.md:3: “name” is missing'])
      },
    },
  ],
})
describeCliCommand({
  name: 'skills show',
  create: () => showSkillCommand,
  examples: [
    {
      title: 'the one that is used, with its files',
      arguments: ['notes'],
      answer,
      check: ({ lines }) =>
        expect(lines.slice(0, 5)).to.deep.equal([
          ...['notes', 'Takes notes.', 'source: user; from: url https://example.org/notes.zip', 'FILE  BYTES', 'SKILL.md  120'],
        ]),
    },
  ],
})
describeCliCommand({
  name: 'skills check',
  create: () => checkSkillCommand,
  examples: [
    {
      title: 'the files that differ, with status 1',
      arguments: ['notes'],
      answer,
      status: 1,
      check: ({ lines }) =>
        expect(lines).to.deep.equal([
          ...['“notes” is changed (url https://example.org/notes.zip, SHA-256 cd34).', 'added: a.md', 'changed: SKILL.md'],
        ]),
    },
    {
      title: 'that the address has another version, with status 1',
      arguments: ['notes'],
      options: { address: true },
      answer,
      status: 1,
      check: ({ lines }) => expect(lines.at(-1)).to.equal('The address has another version (SHA-256 ef56).'),
    },
    {
      title: 'that the address has the same version',
      arguments: ['notes'],
      options: { shared: true, address: true },
      answer,
      check: ({ lines }) => expect(lines.at(-1)).to.equal('The address has the same version.'),
    },
    {
      title: 'that nothing was changed',
      arguments: ['notes'],
      options: { shared: true },
      answer,
      check: ({ lines }) =>
        expect(lines).to.deep.equal(['“notes” is as it was installed (url https://example.org/notes.zip, SHA-256 ab12).']),
    },
  ],
})
describeCliCommand({
  name: 'skills install',
  create: () => installSkillCommand,
  examples: [
    {
      title: 'from an address',
      arguments: ['https://example.org/notes.zip'],
      answer,
      check({ lines, warnings }) {
        expect(lines).to.deep.equal(['“notes” is installed (user, SHA-256 ab12).'])
        expect(warnings).to.deep.equal(['notes/SKILL.md:3: put it in quotes'])
      },
    },
  ],
})
for (const [command, name, given, options, line] of [
  [updateSkillCommand, 'skills update', ['notes'], {}, '“notes” is up to date (SHA-256 ab12).'],
  [removeSkillCommand, 'skills remove', ['notes'], { shared: true }, '“notes” is removed.'],
  [createSkillCommand, 'skills create', ['notes', 'Takes notes.'], {}, '“notes” is created (user).'],
] as const)
  describeCliCommand({
    name,
    create: () => command,
    examples: [{ title: 'what was done', arguments: given, options, answer, check: ({ lines }) => expect(lines).to.deep.equal([line]) }],
  })

describe('what is installed from the disk', () => {
  let place: string
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'cli-skills-'))
    await mkdir(join(place, 'notes/scripts'), { recursive: true })
    await writeFile(join(place, 'notes/SKILL.md'), 'text')
    await writeFile(join(place, 'notes/scripts/run.py'), 'print(1)')
    await writeFile(join(place, 'notes.zip'), 'zip')
  })
  after(() => rm(place, { recursive: true, force: true }))

  it('is a folder with its files, or an archive', async () => {
    expect((await filesOf(join(place, 'notes'))).map(({ path }) => path)).to.deep.equal(['SKILL.md', 'scripts/run.py'])
    expect(await bodyFromDisk(join(place, 'notes.zip'))).to.deep.equal({ from: 'notes.zip', archive: 'emlw' })
  })

  it('is refused with links, and when it is not there', async () => {
    await symlink('/etc/passwd', join(place, 'notes/link'))
    const problem = (at: string) => bodyFromDisk(join(place, at)).catch((error: unknown) => (error as Error).message)
    expect(await problem('notes')).to.match(/“link” is a link or a device/)
    expect(await problem('none')).to.match(/does not exist/)
  })

  it('is each skill of a collection; the refused ones are named, and the others done', async () => {
    for (const name of ['one', 'two', 'skills/three']) {
      await mkdir(join(place, 'repo', name, 'references'), { recursive: true })
      await writeFile(join(place, 'repo', name, 'SKILL.md'), 'text')
      await writeFile(join(place, 'repo', name, 'references/SKILL.md'), 'a template')
    }
    await mkdir(join(place, 'repo/.git/hidden'), { recursive: true })
    await writeFile(join(place, 'repo/.git/hidden/SKILL.md'), 'text')
    const paths = await skillPaths(join(place, 'repo'))
    expect(paths).to.deep.equal(['one', 'skills/three', 'two'].map((name) => join(place, 'repo', name)))
    expect(await skillPaths(join(place, 'notes.zip'))).to.deep.equal([join(place, 'notes.zip')])
    const [lines, warnings]: [string[], string[]] = [[], []]
    const context = {
      print: async (line: string) => void lines.push(line),
      warn: async (line: string) => void warnings.push(line),
      signal: new AbortController().signal,
    }
    const { status, json } = await eachSkill(join(place, 'repo'), context, async (path) => {
      if (path.endsWith('three')) throw unreadableError.create({ path: 'three', problem: 'it is bad' })
      return { name: 'notes' }
    })
    expect(status).to.equal(1)
    expect(lines).to.deep.equal(['2 of 3 skills are in order; refused: 1.'])
    expect(warnings).to.deep.equal([`${join(place, 'repo/skills/three')}: “three” cannot be installed: it is bad.`])
    expect(json['items']).to.have.length(2)
  })
})
