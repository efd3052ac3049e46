import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const builtIns = fileURLToPath(new URL('../../../plugins', import.meta.url))
const ada = { username: 'ada', password: 'a long enough password' }

/** The product without the folders of some plugins. */
async function linkWithout(folder: string, gone: readonly string[]): Promise<string> {
  const linked = path.join(folder, 'plugins')
  await mkdir(linked)
  for (const id of await readdir(builtIns)) if (!gone.includes(id)) await symlink(path.join(builtIns, id), path.join(linked, id))
  return linked
}

/** Whether the sandbox and the memory are there is asked of themselves, and an agent that has not worked yet has no folder. */
const asks = /\/api\/(sandbox|memory\/(status|chats\/[\w-]+)|files\?path=workspaces%2F\w+&limit=\d+)$/

/** What a page of the console shows. */
interface Shown {
  readonly text: string
  /** Paths of the console. */
  readonly links: readonly string[]
}

const read = `({
  text: document.body.innerText,
  links: [...document.querySelectorAll('a[href^="/"]')].map(({ href }) => new URL(href).pathname).filter((path) => !/^\\/(api|v1|s|p)\\//.test(path)),
})`

for (const { title, gone, absent, words, hasSwitches } of [
  {
    title: 'tasks and prompts',
    gone: ['feature-tasks', 'cli-tasks', 'feature-prompts', 'cli-prompts'],
    absent: ['/tasks', '/prompts'],
    words: /\b(Tasks|Prompts|feature-tasks|feature-prompts)\b|Save as prompt/,
    hasSwitches: true,
  },
  {
    title: 'the features that nothing else needs',
    gone: [
      ...[
        'feature-tasks',
        'cli-tasks',
        'feature-prompts',
        'cli-prompts',
        'feature-channels',
        'cli-channels',
        'feature-skills',
        'cli-skills',
      ],
      ...['feature-sandbox', 'cli-sandbox', 'feature-share', 'cli-shares', 'feature-search', 'feature-browser', 'feature-backup'],
      ...['feature-agent-credentials', 'cli-credentials', 'feature-notifications', 'cli-notifications'],
      ...['feature-memory', 'memory-basic', 'memory-pkm', 'cli-memory'],
    ],
    absent: [
      '/tasks',
      '/prompts',
      '/channels',
      '/skills',
      '/sandbox',
      '/shares',
      '/admin/web',
      '/browser',
      '/admin/backup',
      '/notifications',
      '/memory',
    ],
    words: /\b(Tasks|Prompts|Channels|Shared links)\b|Save as prompt/,
    hasSwitches: false,
  },
])
  describe(`the console without the folders of ${title}`, function () {
    this.timeout(180_000)
    let folder: string
    let agents: AgentsKernel
    let person: Person
    let opened: ConsolePage
    /** What the pages asked for and nobody answers. */
    const unanswered: string[] = []
    before(async () => {
      setScript({ answer: () => says('Three invoices.') })
      folder = await mkdtemp(path.join(tmpdir(), 'agent-service-gone-'))
      agents = await startAgentsKernel({ builtInFolder: await linkWithout(folder, gone) })
      person = await agents.person('ada')
      opened = await openPage(agents.kernel, { credentials: ada, confirmed: true, at: 'none' })
      opened.page.on('response', (response) => {
        if (response.status() >= 400 && !asks.test(response.url()))
          unanswered.push(`${new URL(opened.page.url()).pathname}: ${response.status()} ${response.url()}`)
      })
    })
    after(async () => {
      await opened?.close()
      await closeBrowser()
      await agents?.close()
      await rm(folder, { recursive: true, force: true })
    })

    const visit = async (target: string): Promise<Shown> => {
      const { page } = opened
      await page.goto(target)
      await page.locator('h1').first().waitFor({ state: 'attached' })
      await page.locator('#main [aria-busy="true"]').first().waitFor({ state: 'detached' })
      return (await page.evaluate(read)) as Shown
    }

    it('shows nothing of them on any page, and no link leads nowhere', async () => {
      const chatId = await person.newChat()
      const seen = new Set<string>()
      const left = ['/', `/chats/${chatId}`, `/agents/${person.agentId}`, '/admin/users', '/admin/health', '/profile', '/access']
      const dead: string[] = []
      const named: string[] = []
      for (let target = left.shift(); target !== undefined; target = left.shift()) {
        if (seen.has(target)) continue
        seen.add(target)
        const { text, links } = await visit(target)
        if (/There is nothing at|This page has failed|could not be loaded|There is no such (page|route)/.test(text)) dead.push(target)
        // The chat has the name of its agent and what was said; the log has lines of all kinds.
        if (words.test(text)) named.push(`${target}: ${words.exec(text)?.[0]}`)
        left.push(...links)
      }
      expect(dead).to.deep.equal([])
      expect(named).to.deep.equal([])
      for (const place of absent) expect([...seen], place).to.not.include(place)
      expect([...seen]).to.include.members(['/files', '/agents', '/chats', '/admin/plugins', '/admin/settings', '/admin/audit'])
      expect(unanswered).to.deep.equal([])
      const unexpected = opened.complaints.filter((line) => !/status of 40[49]/.test(line))
      expect(unexpected).to.deep.equal([])
    })

    it('has no line of them in the palette, behind “/”, and beside a message', async () => {
      const { page } = opened
      await visit('/')
      for (const word of ['Task', 'Prompt']) {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill(word)
        await page.getByText('No results').waitFor()
        expect(await page.getByRole('option').count(), word).to.equal(0)
        await page.keyboard.press('Escape')
        await page.getByRole('combobox').waitFor({ state: 'detached' })
      }
      await page.goto(`/chats/${await person.newChat()}`)
      const message = page.getByRole('textbox', { name: 'Message' })
      await message.fill('/')
      await page.getByRole('listbox', { name: 'Commands' }).waitFor()
      expect(await page.getByRole('listbox', { name: 'Commands' }).innerText()).to.not.match(words)
      await message.fill('Count the invoices')
      await message.press('Enter')
      await page.getByText('Three invoices.').first().waitFor()
      expect(await page.locator('#main').innerHTML()).to.not.match(words)
    })

    it('has at an agent the switches of what is there, and says what lacks', async () => {
      const { page } = opened
      const asked = ['memory/status', 'sandbox'].map((name) => page.waitForResponse((response) => response.url().endsWith(`/api/${name}`)))
      await page.goto(`/agents/${person.agentId}`)
      for (const answer of asked) await (await answer).finished()
      const lacks = page.getByText('Agents remember nothing between chats: no plugin that keeps memories runs.')
      if (!hasSwitches) {
        await lacks.waitFor()
        expect(await opened.inspect('agent-without-memory')).to.deep.equal([])
      }
      await page.getByRole('checkbox', { name: 'Titles' }).waitFor()
      const shown = await page.getByRole('checkbox', { name: /^(Remember between chats|Network in the sandbox)/ }).count()
      expect([shown, await lacks.count()]).to.deep.equal(hasSwitches ? [2, 0] : [0, 1])
    })

    it('has nothing of them in its API, and logs no error', async () => {
      const { paths, tags = [] } = (await (await fetch(`${agents.kernel.url}/api/openapi.json`)).json()) as {
        readonly paths: Readonly<Record<string, unknown>>
        readonly tags?: readonly { readonly name: string }[]
      }
      expect(Object.keys(paths).length).to.be.greaterThan(100)
      expect(Object.keys(paths).filter((each) => /^\/api\/(admin\/)?(tasks|prompts)\b/.test(each))).to.deep.equal([])
      expect(tags.filter(({ name }) => /^(tasks|prompts)$/.test(name))).to.deep.equal([])
      const { body } = await person.request('GET', '/api/admin/logs?level=error&limit=50')
      expect(body['items']).to.deep.equal([])
    })
  })
