import { expect } from 'chai'
import { startWorkingService, type WorkingService } from './support/working-service.js'
import type { Turn } from './support/working-upstream.js'

const folderIn = (text: string | undefined): string => /files in (\S+), and not change/.exec(text ?? '')?.[1] ?? 'none'
const skill = '---\nname: house-rules\ndescription: The rules of the house.\n---\n'
const script = 'print("the script of the skill ran")\n'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Reads two skills, runs their scripts, tries to change one, and to read one that it does not have. */
function work(results: readonly string[]): Turn {
  const bundled = folderIn(results[0])
  const own = folderIn(results[1])
  const shell = (command: string): Turn => ({ tool: 'shell', arguments: { command, timeout_seconds: 60 } })
  const steps: readonly Turn[] = [
    { tool: 'read_skill', arguments: { name: 'analyse-spreadsheet' } },
    { tool: 'read_skill', arguments: { name: 'house-rules' } },
    shell(`printf 'a,b\\n1,2\\n' > t.csv; python3 ${bundled}/scripts/profile_table.py t.csv`),
    shell(`python3 ${own}/scripts/run.py`),
    shell(`echo 'print("changed")' > ${own}/scripts/run.py; touch ${own}/new ${bundled}/new`),
    shell(`cat ${own.replace('house-rules', 'secret-rules')}/SKILL.md`),
  ]
  return steps[results.length] ?? 'It works.'
}

describe('the skills of an agent in the sandbox', function () {
  this.timeout(120_000)
  let service: WorkingService
  before(async () => {
    service = await startWorkingService({ work }, ['shell'])
    const { ada } = service
    for (const name of ['house-rules', 'secret-rules']) {
      const files = [
        { path: 'SKILL.md', content: base64(skill.replace('house-rules', name)) },
        { path: 'scripts/run.py', content: base64(script) },
      ]
      expect((await ada.request('POST', '/api/skills/install', { files })).status).to.equal(201)
    }
    const [agent] = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
    await ada.request('PATCH', `/api/agents/${agent?.id}`, { skills: ['analyse-spreadsheet', 'house-rules'] })
  })
  after(() => service?.close())

  it('can be read and run by its processes, and not be changed; others cannot be read', async () => {
    const results = await service.resultsOf('work')
    expect(results[0]).to.contain('# Analyse a spreadsheet')
    if (!service.confines) {
      expect(results[2]).to.match(/^Code cannot run here because nothing would confine it/)
      return
    }
    expect(results[2], String(results[2]))
      .to.match(/^Exit code 0 /)
      .and.to.contain('"rows": 1')
    expect(results[3])
      .to.match(/^Exit code 0 /)
      .and.to.contain('the script of the skill ran')
    expect(results[4])
      .to.match(/Read-only file system|Permission denied|No such file/)
      .and.not.to.match(/^Exit code 0 /)
    expect(results[5]).to.match(/No such file|Permission denied/)
    const { ada } = service
    expect((await ada.request('GET', '/api/skills/user/house-rules/check')).body).to.include({ state: 'unchanged' })
    expect((await ada.request('GET', '/api/skills/bundled/analyse-spreadsheet')).body['files']).to.have.length(2)
  })
})
