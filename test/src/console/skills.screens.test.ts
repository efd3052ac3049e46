import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { type ConsolePage, closeBrowser, openPage, refusalReport } from './open-page.js'
import { storedZip } from './support/stored-zip.js'

const ada = { username: 'ada', password: 'a long enough password' }
const skillText = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nBegin.\n`

describe('the skills of the console', function () {
  this.timeout(90_000)
  let agents: AgentsKernel
  let person: Person
  let opened: ConsolePage
  let folder: string

  before(async () => {
    setScript()
    folder = await mkdtemp(path.join(tmpdir(), 'console-skills-'))
    agents = await startAgentsKernel()
    person = await agents.person('ada')
    await person.request('PATCH', `/api/agents/${person.agentId}`, { name: 'Clerk' })
    opened = await openPage(agents.kernel, { credentials: ada, at: 'none' })
  })
  after(async () => {
    await opened?.close()
    await closeBrowser()
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('are listed by source, and a new one is created, edited and given to an agent', async () => {
    const { page, open, inspect } = opened
    // As if it had come from an address, which gives another version now.
    await page.route(/\/api\/skills\/user\/weekly-report(?:\?.*)?$/, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      const response = await route.fetch()
      const skill = (await response.json()) as { readonly installation: object | null }
      const installation = { ...skill.installation, origin: 'url', from: 'https://skills.example/weekly.zip' }
      return route.fulfill({ response, json: { ...skill, installation } })
    })
    await page.route(/\/api\/skills\/user\/weekly-report\/check(?:\?.*)?$/, (route) =>
      route.request().method() === 'POST' ? route.fulfill({ json: { name: 'weekly-report', state: 'changed' } }) : route.fallback(),
    )
    await open('/skills')
    await page.getByRole('link', { name: 'write-a-skill' }).waitFor()
    expect(await inspect('skills')).to.deep.equal([])
    await page.getByRole('button', { name: 'New skill' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Weekly Report')
    await page.getByLabel('Description', { exact: true }).fill('Writes the report of the week. Use it when it is Friday.')
    await page.getByRole('button', { name: 'Create skill' }).click()
    await page.locator('.help.err').first().waitFor()
    expect(await inspect('skill-new')).to.deep.equal([])
    await page.getByLabel('Name', { exact: true }).fill('weekly-report')
    await page.getByRole('button', { name: 'Create skill' }).click()
    await page.getByRole('heading', { name: 'weekly-report', level: 1 }).waitFor()
    const editor = page.getByLabel('SKILL.md', { exact: true })
    await editor.waitFor()
    await editor.fill('# nothing')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('SKILL.md:1:').waitFor()
    expect(await editor.inputValue()).to.equal('# nothing')
    await editor.fill(skillText('weekly-report', 'Writes it.'))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('SKILL.md saved').first().waitFor()
    await page.getByRole('button', { name: 'Add a file' }).click()
    await page.getByLabel('Path', { exact: true }).fill('references/terms.md')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a file' }).click()
    await page.getByLabel('references/terms.md', { exact: true }).fill('A term.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('references/terms.md saved').first().waitFor()
    await page.getByRole('button', { name: 'Check for changes' }).click()
    await page.getByText('Added: references/terms.md').waitFor()
    await page.getByText('The address has another version: “Update” installs it.').waitFor()
    const readAgain = page.waitForResponse((answer) => answer.request().method() === 'GET' && answer.url().includes('/api/agents?'))
    await page.getByRole('switch', { name: 'Clerk' }).check()
    await readAgain
    const { body } = await person.request('GET', `/api/agents/${person.agentId}`)
    expect(body['skills']).to.include('weekly-report')
    expect(await inspect('skill')).to.deep.equal([])
  })

  it('are installed from an archive, which says what is wrong with it, and removed', async () => {
    const { page, open, inspect } = opened
    const good = path.join(folder, 'notes.zip')
    const bad = path.join(folder, 'bad.zip')
    await writeFile(good, storedZip([{ name: 'notes/SKILL.md', content: skillText('meeting-notes', 'The notes of this house.') }]))
    await writeFile(bad, storedZip([{ name: '../SKILL.md', content: skillText('meeting-notes', 'x') }]))
    await open('/skills')
    await page.getByRole('button', { name: 'Install' }).click()
    await page.getByLabel('Archive', { exact: true }).setInputFiles(bad)
    await page.getByLabel('For', { exact: true }).selectOption({ label: 'Everyone' })
    await page.getByRole('dialog').getByRole('button', { name: 'Install' }).click()
    await page.getByText('The skill is not taken').waitFor()
    expect(await inspect('skill-install')).to.deep.equal([])
    await page.getByLabel('Archive', { exact: true }).setInputFiles(good)
    await page.getByRole('dialog').getByRole('button', { name: 'Install' }).click()
    await page.getByText('There is a bundled skill “meeting-notes”').waitFor()
    await page.getByLabel('Replace a skill of the same name').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Install' }).click()
    await page.getByRole('heading', { name: 'meeting-notes', level: 1 }).waitFor()
    await page.getByText('Archive notes.zip').waitFor()
    const files = [
      {
        path: 'SKILL.md',
        content: Buffer.from('---\nname: plans\ndescription: Plans. IMPORTANT: ask first.\n---\n\nAsk.\n').toString('base64'),
      },
    ]
    await person.request('POST', '/api/skills/install', { files })
    await open('/skills/user/plans')
    await page.getByText('The skill works. Its author should mend this:').waitFor()
    await page.getByText('SKILL.md:3: “description” is read as plain text').waitFor()
    expect(await inspect('skill-warnings')).to.deep.equal([])
    await open('/skills')
    await page.getByText('Replaced by: Shared').waitFor()
    // Another tab, or the terminal.
    await person.request('POST', '/api/skills', { name: 'from-elsewhere', description: 'Appears by itself.' })
    await page.getByRole('link', { name: 'from-elsewhere' }).waitFor()
    expect(await inspect('skills-shadowed')).to.deep.equal([])
    await page.getByRole('link', { name: 'from-elsewhere' }).click()
    await page.getByRole('button', { name: 'Remove skill' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove skill' }).click()
    await page.getByText('from-elsewhere removed').first().waitFor()
    await page.getByRole('heading', { name: 'Skills', level: 1 }).waitFor()
  })

  it('are shown in German, and nothing was complained about', async () => {
    const { page, open, inspect } = opened
    await open('/profile')
    await page.getByLabel('Language', { exact: true }).selectOption('de')
    await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
    await open('/skills')
    await page.getByRole('heading', { name: 'Fertigkeiten', level: 1 }).waitFor()
    await page.getByText('Ersetzt durch: Gemeinsam').waitFor()
    expect(await inspect('skills-german')).to.deep.equal([])
    // What the person corrected, and the name that another skill had.
    const refusals = [refusalReport(422, 'Unprocessable Entity'), refusalReport(409, 'Conflict')]
    expect(opened.complaints.filter((complaint) => !refusals.some((refusal) => complaint.startsWith(refusal)))).to.deep.equal([])
  })
})
