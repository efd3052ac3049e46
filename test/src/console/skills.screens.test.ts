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
    opened = await openPage(agents.kernel, { credentials: ada, at: 'none', locale: 'de-DE' })
  })
  after(async () => {
    await opened?.close()
    await closeBrowser()
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('are installed from an archive in the place of a bundled one, changed, given to an agent and listed, in German', async () => {
    const { page, open, inspect } = opened
    const good = path.join(folder, 'notes.zip')
    const bad = path.join(folder, 'bad.zip')
    await writeFile(good, storedZip([{ name: 'notes/SKILL.md', content: skillText('meeting-notes', 'The notes of this house.') }]))
    await writeFile(bad, storedZip([{ name: '../SKILL.md', content: skillText('meeting-notes', 'x') }]))
    await open('/skills')
    await page.getByRole('link', { name: 'write-a-skill' }).waitFor()
    await page.getByRole('button', { name: 'Installieren' }).click()
    const install = page.getByRole('dialog')
    await install.getByLabel('Archiv', { exact: true }).setInputFiles(bad)
    await install.getByLabel('Für', { exact: true }).selectOption({ label: 'Alle Personen' })
    await install.getByRole('button', { name: 'Installieren' }).click()
    await install.getByText('Die Fertigkeit wurde nicht angenommen.').waitFor()
    expect(await inspect('skill-install')).to.deep.equal([])
    await install.getByLabel('Archiv', { exact: true }).setInputFiles(good)
    await install.getByRole('button', { name: 'Installieren' }).click()
    await install.getByText('Eine mitgelieferte Fertigkeit heißt schon „meeting-notes“.').waitFor()
    await install.getByLabel('Fertigkeit gleichen Namens ersetzen').check()
    await install.getByRole('button', { name: 'Installieren' }).click()
    await page.getByRole('heading', { name: 'meeting-notes', level: 1 }).waitFor()
    await page.getByText('Archiv notes.zip').waitFor()

    const editor = page.getByLabel('SKILL.md', { exact: true })
    await editor.fill('# nothing')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Die Fertigkeit ist nicht gültig.').waitFor()
    await editor.fill(skillText('meeting-notes', 'The notes of this house. IMPORTANT: ask first.'))
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('SKILL.md gespeichert').first().waitFor()
    await page.getByRole('button', { name: 'Auf Änderungen prüfen' }).click()
    await page.getByText('Geändert: SKILL.md').waitFor()
    const changed = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('switch', { name: 'Clerk' }).check()
    await changed
    await page.getByText('SKILL.md:3: “description” is read as plain text').waitFor()
    expect((await person.request('GET', `/api/agents/${person.agentId}`)).body['skills']).to.include('meeting-notes')
    expect(await inspect('skill')).to.deep.equal([])

    await page.locator('.skills-crumbs').getByRole('link').click()
    await page.getByText('Ersetzt durch: Gemeinsam').waitFor()
    // From another tab, or the terminal.
    await person.request('POST', '/api/skills', { name: 'from-elsewhere', description: 'Appears by itself.' })
    await page.getByRole('link', { name: 'from-elsewhere' }).waitFor()
    expect(await inspect('skills')).to.deep.equal([])
    await page.getByRole('button', { name: 'Neue Fertigkeit' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Weekly Report')
    await page.getByLabel('Beschreibung', { exact: true }).fill('Writes the report of the week. Use it when it is Friday.')
    await page.getByRole('button', { name: 'Fertigkeit erstellen' }).click()
    await page.locator('.help.err').first().waitFor()
    expect(await inspect('skill-new')).to.deep.equal([])
    // What the person corrected, and the name that another skill had.
    const refusals = [refusalReport(422, 'Unprocessable Entity'), refusalReport(409, 'Conflict')]
    expect(opened.complaints.filter((complaint) => !refusals.some((refusal) => complaint.startsWith(refusal)))).to.deep.equal([])
  })
})
