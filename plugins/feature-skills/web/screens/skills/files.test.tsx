import { problem, render, screen, sendEvent, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import { details, skillService } from '../../test-support/skills.js'
import Skills from './skills.js'

/** The page of a skill with these files, of which SKILL.md is open. */
async function show(files: Readonly<Record<string, string>> = { 'SKILL.md': '# Begin', 'notes.md': 'Notes' }) {
  const service = skillService([details()], files)
  const { user } = render(() => <Skills />, { at: '/skills/user/weekly-report' })
  await editorOf('SKILL.md')
  return {
    service,
    user,
    async write(path: string, text: string): Promise<void> {
      const editor = await editorOf(path)
      await user.clear(editor)
      await user.type(editor, text)
    },
    save: () => user.click(screen.getByRole('button', { name: 'Save' })),
    // The service tells of each change of a skill.
    changed: () => sendEvent<Schemas['SkillUpdatedEvent']>('skill.updated', { name: 'weekly-report', source: 'user', change: 'edited' }),
  }
}

const editorOf = (path: string): Promise<HTMLTextAreaElement> => screen.findByLabelText<HTMLTextAreaElement>(path, { selector: 'textarea' })
const saveButton = (): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })

describe('the files of a skill', () => {
  it('are saved as the version that was opened', async () => {
    const { service, user, write, save } = await show()
    expect([(await editorOf('SKILL.md')).value, saveButton().disabled]).to.deep.equal(['# Begin', true])
    await write('SKILL.md', 'A new beginning')
    await save()
    await screen.findByText('SKILL.md saved')
    await waitFor(() => expect(saveButton().disabled).to.equal(true))
    await write('SKILL.md', 'Another')
    await save()
    await waitFor(() =>
      expect(service.requestsOf('put /api/skills/{source}/{name}/content').map(({ headers }) => headers.get('if-match'))).to.deep.equal([
        ...['"SKILL.md 7"', '"SKILL.md 15"'],
      ]),
    )
    await waitFor(() => expect(saveButton().disabled).to.equal(true))
    expect((await editorOf('SKILL.md')).value).to.equal('Another')
    // Nothing is lost, so nothing is asked.
    await user.click(screen.getByRole('button', { name: 'notes.md' }))
    await editorOf('notes.md')
  })

  it('say at the field why they are not saved, and keep what was typed', async () => {
    const { service, write, save } = await show()
    const refuse = (status: number, code: string, detail: string) =>
      service.answer({ 'put /api/skills/{source}/{name}/content': () => problem(status, code, { detail }) })
    refuse(422, 'skill_invalid', 'SKILL.md:1: The front matter is missing.')
    await write('SKILL.md', 'nothing')
    await save()
    await screen.findByText(/^SKILL\.md:1:/)
    expect((await editorOf('SKILL.md')).getAttribute('aria-invalid')).to.equal('true')
    refuse(412, 'precondition_failed', 'It was changed.')
    await save()
    await screen.findByText('The file was changed meanwhile. Copy your text, then open the file again.')
    expect((await editorOf('SKILL.md')).value).to.equal('nothing')
  })

  it('are added, and open then', async () => {
    const { user, changed } = await show()
    await user.click(screen.getByRole('button', { name: 'Add a file' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Add a file' }))
    await user.click(dialog.getByRole('button', { name: 'Add a file' }))
    await waitFor(() => expect(dialog.getByLabelText('Path').getAttribute('aria-invalid')).to.equal('true'))
    await user.type(dialog.getByLabelText('Path'), ' references/terms.md')
    await user.click(dialog.getByRole('button', { name: 'Add a file' }))
    expect((await editorOf('references/terms.md')).value).to.equal('')
    changed()
    await waitFor(() => expect(screen.getByRole('button', { name: 'references/terms.md' }).getAttribute('aria-pressed')).to.equal('true'))
  })

  it('say what is wrong with the path of a new one', async () => {
    const { service, user } = await show()
    service.answer({ 'put /api/skills/{source}/{name}/content': () => problem(422, 'skill_refused', { detail: 'It leaves the skill.' }) })
    await user.click(screen.getByRole('button', { name: 'Add a file' }))
    await user.type(screen.getByLabelText('Path'), '../terms.md{Enter}')
    await screen.findByText('It leaves the skill.')
    expect(screen.getByLabelText<HTMLInputElement>('Path').value).to.equal('../terms.md')
  })

  it('are left only when the person is sure, if something is not saved', async () => {
    const { user, write } = await show()
    const leave = () => user.click(screen.getByRole('button', { name: 'notes.md' }))
    await write('SKILL.md', 'Half of it')
    await leave()
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect((await editorOf('SKILL.md')).value).to.equal('Half of it')
    await leave()
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    expect((await editorOf('notes.md')).value).to.equal('Notes')
  })

  it('are removed, but for SKILL.md', async () => {
    const { service, user, changed } = await show()
    expect(screen.queryByRole('button', { name: 'Remove SKILL.md' })).to.equal(null)
    await user.click(screen.getByRole('button', { name: 'notes.md' }))
    await editorOf('notes.md')
    await user.click(screen.getByRole('button', { name: 'Remove notes.md' }))
    await editorOf('SKILL.md')
    changed()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'notes.md' })).to.equal(null))
    expect(service.requestsOf('delete /api/skills/{source}/{name}/content').map(({ query }) => query.path)).to.deep.equal(['notes.md'])
  })

  it('that are no text can be downloaded alone', async () => {
    const { user } = await show({ 'SKILL.md': '# Begin', 'logo.png': 'PNG\0' })
    await user.click(screen.getByRole('button', { name: 'logo.png' }))
    await screen.findByText(/^This file is not text\./)
    expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).to.equal(
      '/api/skills/user/weekly-report/content?path=logo.png',
    )
  })
})
