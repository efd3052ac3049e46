import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../../resources/skills', import.meta.url))
const names = ['analyse-spreadsheet', 'meeting-notes', 'plan-a-trip', 'summarise-document', 'write-a-skill']
const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

/** An answer that reads files of skills. */
async function* reads(...files: readonly { readonly name: string; readonly path?: string }[]): AsyncGenerator<ModelEvent> {
  const content = files.map((file, index) => ({
    ...{ type: 'tool_call' as const, call_id: `vendor-${index}`, name: 'read_skill', arguments: { ...file } },
  }))
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}

const promptOf = ({ messages }: ModelRequest): string =>
  messages.map((message) => (message.role === 'system' ? JSON.stringify(message.content) : '')).join('\n')

const toolsOf = ({ tools = [] }: ModelRequest): readonly string[] => tools.map(({ name }) => name)

describe('the bundled skills', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let person: Person
  before(async () => {
    agents = await startAgentsKernel()
    person = await agents.person('ada')
  })
  after(() => agents?.close())

  it('are five, and all of them can be used', async () => {
    expect((await readdir(folder)).sort()).to.deep.equal(names)
    const { body } = await person.request('GET', '/api/skills')
    const items = body['items'] as readonly Record<string, unknown>[]
    expect(items.map(({ name, source, problem, shadowed_by }) => ({ name, source, problem, shadowed_by }))).to.deep.equal(
      names.map((name) => ({ name, source: 'bundled', problem: null, shadowed_by: null })),
    )
    for (const { description } of items) expect(String(description)).to.match(/Use it /)
  })

  it('name only files that they have, and every file that they have', async () => {
    for (const name of names) {
      const { body } = await person.request('GET', `/api/skills/bundled/${name}`)
      const files = (body['files'] as readonly { readonly path: string }[]).map((file) => file.path)
      const text = await readFile(path.join(folder, name, 'SKILL.md'), 'utf8')
      expect(text.split('\n').length, name).to.be.below(200)
      for (const file of files.filter((each) => each !== 'SKILL.md')) expect(text, name).to.contain(file)
      for (const [mentioned] of text.matchAll(/(?:scripts|references)\/[a-z_-]+\.[a-z]+/g)) expect(files, name).to.include(mentioned)
    }
  })

  it('are in the prompt of an agent that has them, by name and description alone, and the agent reads them', async () => {
    const script = setScript({
      answer: (request) =>
        resultsIn(request).length === 0
          ? reads({ name: 'write-a-skill' }, { name: 'write-a-skill', path: 'references/checklist.md' }, { name: 'plan-a-trip' })
          : says('I have read it.'),
    })
    await person.request('PATCH', `/api/agents/${person.agentId}`, { skills: ['write-a-skill', 'summarise-document', 'no-such-skill'] })
    const events = await person.stream()
    const runId = await person.post(await person.newChat(), 'Write a skill.')
    expect((await endOf(events, runId)).name).to.equal('run.completed')
    events.close()
    const [first, second] = script.requests
    if (!first || !second) throw new Error('The model was not asked twice.')
    const prompt = promptOf(first)
    expect(prompt).to.contain('- write-a-skill: Writes a new skill').and.to.contain('- summarise-document: Summarises')
    expect(prompt).not.to.contain('plan-a-trip')
    expect(prompt).not.to.contain('no-such-skill')
    expect(prompt).not.to.contain('Ask for one or two real examples')
    expect(toolsOf(first)).to.include('read_skill')
    const [instructions, checklist, other] = resultsIn(second).map((part) => JSON.stringify(part))
    expect(instructions).to.contain('Ask for one or two real examples').and.to.contain('It is material of that skill')
    expect(instructions).to.contain('references/checklist.md (')
    expect(checklist).to.contain('Every step says what to do')
    expect(other).to.contain('You have no skill “plan-a-trip”')
  })

  it('cost an agent without skills nothing', async () => {
    const script = setScript()
    await person.request('PATCH', `/api/agents/${person.agentId}`, { skills: [] })
    const events = await person.stream()
    const runId = await person.post(await person.newChat(), 'Hello.')
    await endOf(events, runId)
    events.close()
    const [first] = script.requests
    if (!first) throw new Error('The model was not asked.')
    expect(promptOf(first)).not.to.contain('# Skills')
    expect(toolsOf(first)).not.to.include('read_skill')
  })

  describe('have a script that describes tables', () => {
    let place: string
    const script = path.join(folder, 'analyse-spreadsheet/scripts/profile_table.py')
    const describe = async (...given: readonly string[]): Promise<Record<string, unknown>> =>
      JSON.parse((await run('python3', [script, ...given], { timeout: 20_000 })).stdout)
    before(async () => {
      place = await mkdtemp(path.join(tmpdir(), 'tables-'))
    })
    after(() => rm(place, { recursive: true, force: true }))

    it('which computes sums, groups, gaps and repeated rows', async () => {
      const file = path.join(place, 'sales.csv')
      await writeFile(file, 'region;amount;day\nnorth;1.200,50;2026-01-01\nsouth;3;2026-01-02\nnorth;7,25;\nnorth;7,25;\n')
      const found = await describe(file, '--group', 'region', '--sum', 'amount')
      expect(found).to.include({ rows: 4, repeated_rows: 1 })
      expect(found['groups']).to.deep.equal([
        { group: 'north', rows: 3, sum: 1215 },
        { group: 'south', rows: 1, sum: 3 },
      ])
      const [region, amount, day] = found['columns'] as readonly Record<string, unknown>[]
      expect(region).to.include({ name: 'region', distinct: 2, empty: 0 })
      expect(amount).to.include({ sum: 1218, minimum: 3, maximum: 1200.5, median: 7.25 })
      expect(day).to.deep.include({ empty: 2, kinds: { date: 2 } })
    })

    it('which reads workbooks, and says in one line what is wrong', async () => {
      const file = path.join(place, 'book.xlsx')
      const maker = [
        ...['import sys, zipfile', 'with zipfile.ZipFile(sys.argv[1], "w") as book:'],
        ' space = \'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"\'',
        ' book.writestr("xl/sharedStrings.xml", f"<sst {space}><si><t>name</t></si><si><t>Ada</t></si></sst>")',
        ' book.writestr("xl/worksheets/sheet1.xml", f\'<worksheet {space}><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>age</t></is></c></row><row><c r="A2" t="s"><v>1</v></c><c r="B2"><v>36</v></c></row></sheetData></worksheet>\')',
      ].join('\n')
      await run('python3', ['-c', maker, file])
      const { columns } = (await describe(file)) as { readonly columns: readonly Record<string, unknown>[] }
      expect(columns.map(({ name, sum }) => [name, sum])).to.deep.equal([
        ['name', undefined],
        ['age', 36],
      ])
      const failure = await describe(file, '--sheet', '2').catch((error: { readonly stderr?: string }) => error.stderr)
      expect(failure).to.equal('there is no sheet 2: the file has 1\n')
    })
  })

  it('are enabled for the shipped agents, each for at least one', async () => {
    const agents = fileURLToPath(new URL('../../../resources/agents', import.meta.url))
    const enabled = await Promise.all(
      (await readdir(agents)).map(
        async (file) => (JSON.parse(await readFile(path.join(agents, file), 'utf8')) as { skills?: string[] }).skills,
      ),
    )
    for (const skills of enabled) expect(skills).to.be.an('array').that.is.not.empty
    expect([...new Set(enabled.flat())].sort()).to.deep.equal((await readdir(folder)).sort())
  })
})
