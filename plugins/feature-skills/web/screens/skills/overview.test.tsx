import { currentPath } from '@agent-service/sdk/web'
import { problem, type RenderOptions, render, screen, sendEvent, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import { details, skill, skillService } from '../../test-support/skills.js'
import Skills from './skills.js'

const show = (options: RenderOptions = {}) => render(() => <Skills />, { at: '/skills', ...options }).user

/** What stands below the heading of a source. */
const group = async (heading: string): Promise<HTMLElement> =>
  (await screen.findByRole('heading', { name: heading, level: 2 })).closest('section') ?? document.body
const textOf = async (heading: string): Promise<string> => (await group(heading)).textContent ?? ''

describe('the list of skills', () => {
  it('has them by source, and says which are replaced or broken', async () => {
    const broken = { file: 'SKILL.md', line: 2, message: 'The name is missing.' }
    skillService([
      details(),
      details({ source: 'shared', name: 'meeting-notes', problem: broken }),
      details({ source: 'bundled', name: 'meeting-notes', shadowed_by: 'shared' }),
    ])
    show()
    expect(await textOf('Your own'))
      .to.include('weekly-report')
      .and.include('Writes the report of the week.')
    expect(await textOf('Shared'))
      .to.include('Broken')
      .and.include('SKILL.md:2: The name is missing.')
    expect(await textOf('Bundled'))
      .to.include('meeting-notes')
      .and.include('Replaced by: Shared')
    expect(screen.queryByRole('heading', { name: 'Of an agent' })).to.equal(null)
    const ways = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(ways).to.deep.equal(['/skills/user/weekly-report', '/skills/shared/meeting-notes', '/skills/bundled/meeting-notes'])
  })

  it('says where there are none what can be done', async () => {
    skillService([])
    show()
    expect(await textOf('Your own')).to.include('Install a skill, or create one.')
    expect(await textOf('Shared')).to.include('Administrators can install skills for everyone.')
  })

  it('has those of an agent too if they are asked for', async () => {
    const service = skillService([details({ source: 'agent', agent_id: 'agent_1' })])
    const user = show()
    await screen.findByRole('option', { name: 'Clerk' })
    await user.selectOptions(screen.getByLabelText('Also show those of an agent'), 'Clerk')
    const link = await within(await group('Of an agent')).findByRole('link', { name: 'weekly-report' })
    expect(link.getAttribute('href')).to.equal('/skills/agent/weekly-report?agent=agent_1')
    expect(service.requestsOf('get /api/skills').at(-1)?.query.agent_id).to.equal('agent_1')
  })

  it('shows what is made elsewhere', async () => {
    const service = skillService([])
    show()
    await group('Your own')
    service.answer({ 'get /api/skills': () => ({ items: [skill()], next_cursor: null }) })
    sendEvent<Schemas['SkillUpdatedEvent']>('skill.updated', { name: 'weekly-report', source: 'user', change: 'created' })
    await screen.findByRole('link', { name: 'weekly-report' })
  })

  it('can be read again after a failure', async () => {
    const service = skillService()
    service.answer({ 'get /api/skills': () => problem(503, 'unavailable') })
    const user = show()
    const again = await screen.findByRole('button', { name: 'Try again' })
    service.answer({ 'get /api/skills': () => ({ items: [skill()], next_cursor: null }) })
    await user.click(again)
    await screen.findByRole('link', { name: 'weekly-report' })
  })

  it('is German for those who read German', async () => {
    skillService([details({ source: 'bundled', shadowed_by: 'shared' })])
    show({ language: 'de' })
    await screen.findByRole('heading', { name: 'Fertigkeiten', level: 1 })
    await screen.findByText('Ersetzt durch: Gemeinsam')
  })
})

describe('making a skill', () => {
  /** The dialog, filled in. */
  async function ask(options: RenderOptions = {}) {
    const service = skillService()
    const user = show(options)
    await screen.findByRole('option', { name: 'Clerk' })
    await user.click(screen.getByRole('button', { name: 'New skill' }))
    await user.type(screen.getByLabelText('Name'), 'weekly-report')
    await user.type(screen.getByLabelText('Description'), 'On Fridays.')
    return { service, user, create: () => user.click(screen.getByRole('button', { name: 'Create skill' })) }
  }

  it('leads to it', async () => {
    const { service, create } = await ask()
    service.answer({ 'post /api/skills': () => details() })
    await create()
    await screen.findByRole('heading', { name: 'weekly-report', level: 1 })
    expect(currentPath()).to.equal('/skills/user/weekly-report')
    const bodies = service.requestsOf('post /api/skills').map(({ body }) => body)
    expect(bodies).to.deep.equal([{ name: 'weekly-report', description: 'On Fridays.' }])
  })

  it('says what is wrong with its name, and keeps what was typed', async () => {
    const { service, user, create } = await ask()
    const errors = [{ path: '/name', message: 'must match pattern' }]
    service.answer({ 'post /api/skills': () => problem(400, 'validation_failed', { errors }) })
    await create()
    const name = screen.getByLabelText<HTMLInputElement>('Name')
    await waitFor(() => expect(name.getAttribute('aria-invalid')).to.equal('true'))
    expect(screen.getByRole('dialog').textContent).to.include('Lower-case letters, digits and hyphens: weekly-report.')
    service.answer({ 'post /api/skills': () => problem(409, 'skill_exists', { detail: 'You have a skill of this name.' }) })
    await user.type(name, '-2')
    await create()
    await screen.findByText('You have a skill of this name.')
    expect(name.getAttribute('aria-invalid')).to.equal('true')
    expect([name.value, screen.getByLabelText<HTMLTextAreaElement>('Description').value]).to.deep.equal(['weekly-report-2', 'On Fridays.'])
  })

  it('may be for an agent alone, and for everyone by those who administrate', async () => {
    const { service, user, create } = await ask()
    expect(screen.queryByRole('option', { name: 'Everyone' })).to.equal(null)
    service.answer({ 'post /api/skills': () => details({ source: 'agent' }) })
    await user.selectOptions(screen.getByLabelText('For'), 'Only the agent Clerk')
    await create()
    await waitFor(() => expect(currentPath()).to.equal('/skills/agent/weekly-report'))
    expect(service.requestsOf('post /api/skills')[0]?.body.agent_id).to.equal('agent_1')
  })

  it('is for everyone at the address of administrators', async () => {
    const { service, user, create } = await ask({ admin: true })
    service.answer({ 'post /api/admin/skills': () => details({ source: 'shared' }) })
    await user.selectOptions(screen.getByLabelText('For'), 'Everyone')
    await create()
    await waitFor(() => expect(currentPath()).to.equal('/skills/shared/weekly-report'))
  })
})

describe('installing a skill', () => {
  async function ask() {
    const service = skillService()
    const user = show({ admin: true })
    await screen.findByRole('heading', { name: 'Your own' })
    await user.click(screen.getByRole('button', { name: 'Install' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Install a skill' }))
    return { service, user, dialog, install: () => user.click(dialog.getByRole('button', { name: 'Install' })) }
  }
  const archive = new File(['zip'], 'notes.zip', { type: 'application/zip' })

  it('from an archive says what is wrong with it, and replaces another if wanted', async () => {
    const { service, user, dialog, install } = await ask()
    await install()
    await waitFor(() => expect(dialog.getByLabelText('Archive').getAttribute('aria-invalid')).to.equal('true'))
    service.answer({
      'post /api/skills/upload': () => problem(422, 'skill_refused', { detail: 'The skill is not taken: its path leaves it.' }),
    })
    await user.upload(dialog.getByLabelText('Archive'), archive)
    await install()
    await dialog.findByText(/^The skill is not taken/)
    expect(dialog.getByLabelText('Archive').getAttribute('aria-invalid')).to.equal('true')
    service.answer({ 'post /api/skills/upload': () => problem(409, 'skill_exists', { detail: 'There is a bundled skill.' }) })
    await install()
    await dialog.findByText('There is a bundled skill.')
    service.answer({ 'post /api/skills/upload': () => details() })
    await user.click(dialog.getByLabelText('Replace a skill of the same name'))
    await install()
    await screen.findByText('weekly-report installed')
    await screen.findByRole('heading', { name: 'weekly-report', level: 1 })
    const sent = service.requestsOf('post /api/skills/upload')
    expect(sent.map(({ query }) => [String(query.replace), query.from])).to.deep.equal([
      ['false', 'notes.zip'],
      ['false', 'notes.zip'],
      ['true', 'notes.zip'],
    ])
    expect(sent.at(-1)?.body).to.equal(archive)
  })

  it('for everyone goes to the address of administrators', async () => {
    const { service, user, dialog, install } = await ask()
    service.answer({ 'post /api/admin/skills/upload': () => details({ source: 'shared' }) })
    await user.upload(dialog.getByLabelText('Archive'), archive)
    await user.selectOptions(dialog.getByLabelText('For'), 'Everyone')
    await install()
    await waitFor(() => expect(currentPath()).to.equal('/skills/shared/weekly-report'))
  })

  it('from an address has it read by the service', async () => {
    const { service, user, dialog, install } = await ask()
    service.answer({ 'post /api/skills/install': () => details() })
    await user.selectOptions(dialog.getByLabelText('From'), 'An address')
    await user.type(dialog.getByLabelText('Address'), ' https://skills.example/weekly.zip ')
    await install()
    await screen.findByText('weekly-report installed')
    const bodies = service.requestsOf('post /api/skills/install').map(({ body }) => body)
    expect(bodies).to.deep.equal([{ url: 'https://skills.example/weekly.zip', replace: false }])
  })
})
