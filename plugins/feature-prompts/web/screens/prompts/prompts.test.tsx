import { fakeApi, problem, render, savedFiles, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { listed, whole } from '../../test-support/prompts.js'
import { promptsOfFile } from './import-file.js'
import Prompts from './prompts.js'

/** The service with these prompts, which keeps what is done with them. */
function serviceWith(...commands: readonly string[]) {
  let kept = commands.map((command) => listed({ command, title: `Title of ${command}` }))
  const deleted = new Map<string, (typeof kept)[number]>()
  const page = (items: typeof kept) => ({ items, next_cursor: null })
  return fakeApi<paths>({
    'get /api/prompts': ({ query }) => page(kept.filter(({ title }) => title.includes(query.search ?? ''))),
    'get /api/prompts/{prompt_id}': ({ path }) => whole(kept.find(({ id }) => id === path.prompt_id)),
    'delete /api/prompts/{prompt_id}'({ path }) {
      for (const prompt of kept) if (prompt.id === path.prompt_id) deleted.set(prompt.id, prompt)
      kept = kept.filter(({ id }) => id !== path.prompt_id)
    },
    'post /api/prompts/{prompt_id}/restore'({ path }) {
      const prompt = deleted.get(path.prompt_id) ?? listed()
      kept = [...kept, prompt]
      return whole(prompt)
    },
    'patch /api/prompts/{prompt_id}'({ path, body }) {
      kept = kept.map((prompt) => (prompt.id === path.prompt_id ? { ...prompt, title: body.title ?? prompt.title } : prompt))
      return whole(kept.find(({ id }) => id === path.prompt_id))
    },
    'post /api/prompts/import'({ body }) {
      const added = body.prompts.filter(({ command }) => !kept.some((each) => each.command === command))
      kept = [...kept, ...added.map(({ command, title }) => listed({ command, title }))]
      const same = body.prompts.length - added.length
      return { created: added.length, replaced: body.existing === 'replace' ? same : 0, skipped: body.existing === 'replace' ? 0 : same }
    },
  })
}

const shown = (): readonly string[] =>
  screen.queryAllByRole('listitem').flatMap(({ textContent }) => /\/[a-z-]+(?=Title|Hello)/.exec(textContent ?? '')?.[0] ?? [])
const whenShown = (...commands: readonly string[]): Promise<unknown> => waitFor(() => expect(shown()).to.deep.equal(commands))

function show() {
  const { user } = render(() => <Prompts />, { at: '/prompts' })
  return {
    user,
    async choose(command: string, what: string): Promise<void> {
      await user.click(await screen.findByRole('button', { name: `Actions for /${command}` }))
      await user.click(screen.getByRole('menuitem', { name: what }))
    },
    importFile: (content: unknown) =>
      user.upload(
        screen.getByLabelText('Import', { selector: 'input' }),
        new File([JSON.stringify(content)], 'prompts.json', { type: 'application/json' }),
      ),
  }
}

describe('the screen of prompts', () => {
  it('says what prompts are for while there are none', async () => {
    serviceWith()
    show()
    await screen.findByText('No prompts yet')
  })

  it('finds those with some words', async () => {
    const service = serviceWith('translate', 'hello')
    const { user } = show()
    await whenShown('/translate', '/hello')
    await user.click(screen.getByRole('searchbox', { name: 'Search prompts' }))
    await user.paste('of hello')
    await whenShown('/hello')
    expect(service.requestsOf('get /api/prompts').map(({ query }) => query.search)).to.deep.equal([undefined, 'of hello'])
    await user.paste(', or not')
    await screen.findByText('No prompt has these words.')
  })

  it('shows a prompt as it was changed', async () => {
    serviceWith('translate')
    const { user, choose } = show()
    await choose('translate', 'Edit')
    const title = await screen.findByLabelText('Title')
    await user.clear(title)
    await user.type(title, 'Title, a new one{Enter}')
    await screen.findByText('Title, a new one')
    expect(screen.queryByRole('dialog')).to.equal(null)
  })

  it('brings back what was deleted, if that was a mistake', async () => {
    const service = serviceWith('translate', 'hello')
    const { user, choose } = show()
    await choose('translate', 'Delete')
    await screen.findByText('/translate deleted')
    await whenShown('/hello')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await whenShown('/hello', '/translate')
    expect(service.requestsOf('post /api/prompts/{prompt_id}/restore').map(({ path }) => path.prompt_id)).to.deep.equal([
      'prompt_translate',
    ])
    expect(screen.queryByText('/translate deleted')).to.equal(null)
  })

  it('says why something could not be done, and shows what is there', async () => {
    const service = serviceWith('translate')
    service.answer({ 'delete /api/prompts/{prompt_id}': () => problem(409, 'conflict', { detail: 'It is being changed.' }) })
    const { choose } = show()
    await choose('translate', 'Delete')
    expect((await screen.findByRole('alert')).textContent).to.include('It is being changed.')
    await whenShown('/translate')
  })

  it('imports a file, leaves what is there, and replaces it if wanted', async () => {
    const service = serviceWith('translate')
    const { user, importFile } = show()
    await whenShown('/translate')
    await importFile([
      { command: '/translate', title: 'Other', content: 'Other.' },
      { command: '/hello_there', title: 'Hello', content: 'Hello.' },
    ])
    await screen.findByText('1 added, 0 replaced, 1 skipped: you have their commands already')
    await whenShown('/translate', '/hello-there')
    await user.click(screen.getByRole('button', { name: 'Replace them' }))
    await screen.findByText(/^0 added, 2 replaced/)
    const imports = service.requestsOf('post /api/prompts/import').map(({ body }) => body)
    const prompts = [
      { command: 'translate', title: 'Other', text: 'Other.' },
      { command: 'hello-there', title: 'Hello', text: 'Hello.' },
    ]
    expect(imports).to.deep.equal([
      { prompts, existing: 'skip' },
      { prompts, existing: 'replace' },
    ])
  })

  it('exports those of the person, in a form that can be imported', async () => {
    const service = serviceWith('translate', 'hello')
    const { user } = show()
    await user.click(await screen.findByRole('button', { name: 'Export' }))
    await waitFor(() => expect(savedFiles().map(({ name }) => name)).to.deep.equal(['prompts.json']))
    const prompts = ['translate', 'hello'].map((command) => ({ command, title: `Title of ${command}`, text: whole().text }))
    const content = await savedFiles()[0]?.content.text()
    expect([JSON.parse(content ?? ''), promptsOfFile(content ?? '')]).to.deep.equal([{ prompts }, prompts])
    expect(service.requestsOf('get /api/prompts').at(-1)?.query.whose).to.equal('own')
  })

  it('refuses a file that has no prompts, and asks the service nothing', async () => {
    serviceWith('translate')
    const { importFile } = show()
    await importFile({})
    await screen.findByText('This file has no prompts. Choose an export of this page or of Open WebUI.')
  })
})
