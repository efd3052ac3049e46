import { currentPath } from '@agent-service/sdk/web'
import { problem, type RenderOptions, render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import { agent, details, installation, skillService } from '../../test-support/skills.js'
import Skills from './skills.js'

/** The page of a skill. */
function show(skill = details(), options: RenderOptions = {}) {
  const service = skillService([skill])
  const { user, container } = render(() => <Skills />, { at: `/skills/${skill.source}/${skill.name}`, ...options })
  return { service, user, container }
}

const editor = (): Promise<HTMLTextAreaElement> => screen.findByLabelText<HTMLTextAreaElement>('SKILL.md')
const check = (input: Partial<Schemas['SkillCheck']> = {}): Schemas['SkillCheck'] => ({
  name: 'weekly-report',
  source: 'user',
  sha256: 'abc',
  installation: installation(),
  state: 'unchanged',
  added: [],
  changed: [],
  removed: [],
  ...input,
})
const named = (name: string) => screen.getByRole('button', { name })

describe('the page of a skill', () => {
  it('says where it is from', async () => {
    const { container } = show(details({ license: 'MIT', metadata: { version: '1.2' } }))
    await editor()
    expect(container.textContent).to.include('Archive notes.zip').and.include('MIT').and.include('1.2')
  })

  it('says what its author should mend, and what breaks it', async () => {
    const warning = { file: 'SKILL.md', line: 3, message: '“description” is read as plain text' }
    show(details({ warnings: [warning], problem: { file: 'SKILL.md', line: 1, message: 'The name is missing.' } }))
    await screen.findByText('The skill works. Its author should mend this:')
    await screen.findByText('SKILL.md:3: “description” is read as plain text')
    expect(screen.getByRole('alert').textContent).to.include('Broken').and.include('SKILL.md:1: The name is missing.')
  })

  it('says what was changed since it was installed', async () => {
    const { service, user } = show()
    service.answer({
      'get /api/skills/{source}/{name}/check': () =>
        check({ state: 'changed', added: ['references/terms.md'], changed: ['SKILL.md'], removed: ['LICENSE'] }),
    })
    await editor()
    await user.click(named('Check for changes'))
    await screen.findByText('Changed since it was installed')
    for (const line of ['Added: references/terms.md', 'Changed: SKILL.md', 'Removed: LICENSE']) screen.getByText(line)
  })

  it('says whether its address has another version, and installs that', async () => {
    const from = installation({ origin: 'url', from: 'https://skills.example/weekly.zip' })
    const { service, user } = show(details({ installation: from }))
    const given = { name: 'weekly-report', sha256: 'def', version: null }
    service.answer({
      'get /api/skills/{source}/{name}/check': () => check(),
      'post /api/skills/{source}/{name}/check': () => ({ ...given, state: 'changed' }),
      'post /api/skills/{source}/{name}/update': () => details(),
    })
    await editor()
    await user.click(named('Check for changes'))
    await screen.findByText('The address has another version: “Update” installs it.')
    service.answer({ 'post /api/skills/{source}/{name}/check': () => ({ ...given, state: 'unchanged' }) })
    await user.click(named('Check for changes'))
    await screen.findByText('The address has the same version.')
    await user.click(named('Update'))
    await screen.findByText('weekly-report is up to date')
  })

  it('removes it when the person is sure, and leads to the list', async () => {
    const { service, user } = show()
    service.answer({ 'delete /api/skills/{source}/{name}': () => undefined })
    await editor()
    const answer = async (name: string) => user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))
    await user.click(named('Remove skill'))
    await answer('Keep it')
    await waitFor(() => expect(screen.queryByRole('dialog')).to.equal(null))
    expect(service.requestsOf('delete /api/skills/{source}/{name}')).to.deep.equal([])
    await user.click(named('Remove skill'))
    await answer('Remove skill')
    await screen.findByText('weekly-report removed')
    await screen.findByRole('heading', { name: 'Skills', level: 1 })
    expect(currentPath()).to.equal('/skills')
  })

  it('says why it could not be removed, and stays', async () => {
    const { service, user } = show()
    service.answer({ 'delete /api/skills/{source}/{name}': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    await editor()
    await user.click(named('Remove skill'))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove skill' }))
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    await editor()
  })

  it('shows a bundled one without a way to change it', async () => {
    show(details({ source: 'bundled', installation: null }))
    expect((await editor()).readOnly).to.equal(true)
    for (const name of ['Remove skill', 'Save', 'Add a file', 'Check for changes'])
      expect(screen.queryByRole('button', { name }), name).to.equal(null)
  })

  for (const admin of [false, true])
    it(`lets those who ${admin ? 'administrate change' : 'do not administrate only read'} one of everyone`, async () => {
      show(details({ source: 'shared' }), { admin })
      expect((await editor()).readOnly).to.equal(!admin)
      expect(screen.queryByRole('button', { name: 'Remove skill' }) !== null).to.equal(admin)
    })

  it('says that there is none', async () => {
    skillService([])
    render(() => <Skills />, { at: '/skills/user/nothing' })
    expect((await screen.findByRole('alert')).textContent).to.include('There is no such skill.')
  })
})

describe('the agents of a skill', () => {
  const toggle = (): Promise<HTMLInputElement> => screen.findByRole<HTMLInputElement>('switch', { name: 'Clerk' })

  it('have it and have it no more, beside what they had', async () => {
    const { service, user } = show()
    service.answer({ 'get /api/agents/{agent_id}': () => agent({ skills: ['meeting-notes'], version: 7 }) })
    await user.click(await toggle())
    await waitFor(async () => expect((await toggle()).checked).to.equal(true))
    service.answer({ 'get /api/agents/{agent_id}': () => agent({ skills: ['meeting-notes', 'weekly-report'], version: 8 }) })
    await user.click(await toggle())
    await waitFor(async () => expect((await toggle()).checked).to.equal(false))
    const changes = service.requestsOf('patch /api/agents/{agent_id}')
    expect(changes.map(({ body, headers }) => [body.skills, headers.get('if-match')])).to.deep.equal([
      [['meeting-notes', 'weekly-report'], '"7"'],
      [['meeting-notes'], '"8"'],
    ])
  })

  it('stay as they are when that fails, which is said', async () => {
    const { service, user } = show()
    service.answer({ 'patch /api/agents/{agent_id}': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    const held = service.hold('patch /api/agents/{agent_id}')
    await user.click(await toggle())
    expect((await toggle()).checked).to.equal(true)
    held.release()
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    await waitFor(async () => expect((await toggle()).checked).to.equal(false))
  })

  it('that have all skills cannot be without this one', async () => {
    const { service } = show()
    service.answer({ 'get /api/agents': () => ({ items: [agent({ skills: ['*'] })], next_cursor: null }) })
    await screen.findByText('Clerk has all skills')
    expect(screen.queryByRole('switch')).to.equal(null)
  })
})
