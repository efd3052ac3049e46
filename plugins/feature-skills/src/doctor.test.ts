import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeDoctorCheck } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createSkillCheck } from './doctor.js'
import { skillText } from './test-support/archives.js'

describe('what doctor says about skills', () => {
  let root: string
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'skills-doctor-'))
    for (const folder of ['shared', 'mended']) {
      for (const name of ['good', 'bad']) await mkdir(join(root, folder, name), { recursive: true })
      await writeFile(join(root, folder, 'good/SKILL.md'), skillText('good'))
    }
  })
  after(() => rm(root, { recursive: true, force: true }))

  const clock = { now: () => 0, monotonic: () => 0 }
  const checkOf = (shared: string) =>
    createSkillCheck({ deployment: { skillFolders: { bundled: join(root, 'bundled'), shared: join(root, shared) } }, clock })

  describeDoctorCheck({
    name: 'of skills',
    create: () => checkOf('none'),
    broken: () => checkOf('shared'),
    secrets: 'not applicable',
    state: () => readdir(root, { recursive: true }),
  })

  it('names those that cannot be used, and is silent if there are none', async () => {
    const check = checkOf('mended')
    const { signal } = new AbortController()
    expect((await check.run({ signal })).findings.map(({ state, text }) => [state, text])).to.deep.equal([
      ['warning', '1 skills can be used, 1 cannot'],
      ['warning', `${root}/mended/bad/SKILL.md:1: the file is missing`],
    ])
    await writeFile(join(root, 'mended/bad/SKILL.md'), skillText('bad'))
    expect((await check.run({ signal })).findings).to.deep.equal([])
  })
})
