import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { definePlugin, Type } from '@agent-service/sdk'
import { type ModelEvent, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { tools } from '@agent-service/sdk/contracts/tool'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { resultsIn, setScript } from '../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import townPlugin, { newTown, said, type Town } from '../channels/support/town-plugin.js'
import { type ConsolePage, closeBrowser, openPage } from '../console/open-page.js'
import { confirm, type EventStream } from '../support/api.js'

/** Short enough for every name. `planted` is a class, and a word that is shown. */
const shortText = 'planted<img class=planted src=x onerror=acted=1>'
const longText = [
  `${shortText}<script>window.acted=1</script><svg class=planted onload="window.acted=1"></svg>`,
  '<iframe srcdoc="<script>top.acted=1</script>"></iframe><a class="scrim planted" href="javascript:window.acted=1">planted</a>',
  '![planted](https://tracker.example/p.gif) [planted](javascript:window.acted=1) <b class="dialog planted" id="main">planted</b>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/"><link rel="stylesheet" href="https://evil.example/x.css">',
  '<form action="https://evil.example/"><input class="planted" name="password"></form><object data="https://evil.example/o"></object>',
].join('\n')
const lineText = longText.replaceAll('\n', ' ')

/** Whatever of the texts has become more than text. */
const planted = `[...document.querySelectorAll([
  '.planted', '[onerror]', '[onload]', '[onclick]', '[srcdoc]', 'a[href^="javascript:" i]', 'meta[http-equiv="refresh"]', 'input[name="password"].planted',
  '[src*="tracker.example"]', '[src*="evil.example"]', 'link[href*="evil.example"]', 'form[action*="evil.example"]', 'object', 'embed', 'main b#main',
].join())].map((each) => each.outerHTML.slice(0, 200))`

/** The word of the texts is text in the screen itself, or the value of a field of it; lists beside it show names everywhere. */
const isShown = `(() => {
  const screen = document.querySelector('main')
  if (!screen) return false
  const fields = [...screen.querySelectorAll('input, textarea')].map((each) => each.value)
  return [screen.innerText, ...fields].some((text) => text.includes('planted<img'))
})()`

/** A tool of another server, as far as the person knows. */
export const foreignTool = definePlugin({
  manifest: { id: 'foreign', apiVersion: 1, description: 'A tool whose texts are of an attacker.', contributes: ['tool'] },
  setup(context) {
    context.contribute(tools, {
      ...{ specVersion: 1, name: 'foreign__text', title: shortText, description: longText, effect: 'unsafe' },
      parameters: Type.Object({ text: Type.String() }),
      supports: { probe: false },
      purpose: () => lineText.slice(0, 400),
      execute: async () => ({ content: [{ type: 'text', text: longText }] }),
    })
  },
})
export default foreignTool

async function* callsForeign(): AsyncGenerator<ModelEvent> {
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 2 }
  yield { type: 'response.started' }
  const call = { type: 'tool_call' as const, call_id: 'vendor-0', name: 'foreign__text', arguments: { text: longText } }
  const content = [{ type: 'reasoning' as const, text: longText }, { type: 'text' as const, text: longText }, call]
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}
async function* saysPlanted(): AsyncGenerator<ModelEvent> {
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
  yield { type: 'response.started' }
  yield { type: 'response.finished', content: [{ type: 'text', text: longText }], stop_reason: 'stop', usage }
}

/** Screens whose texts come from elsewhere; the tests that drive them. */
const elsewhere: Readonly<Record<string, string>> = {
  '/panels/:panelId': 'hostile-panels.screens.test.ts',
  '/admin/panels/:panelId': 'hostile-panels.screens.test.ts',
}

/** Where none of these texts is in sight at first: visited all the same. */
const withoutTexts: readonly string[] = [
  ...[
    '/access',
    '/admin/backup',
    '/admin/memory',
    '/admin/models',
    '/admin/plugins',
    '/admin/providers',
    '/admin/settings',
    '/admin/vaults',
  ],
  ...['/admin/web', '/browser', '/components', '/register', '/set-up', '/sign-in', '/vaults', '/vaults/:vaultId', '/files-bin'],
  ...['/sandbox', '/sandbox/machine', '/sandbox/users', '/sandbox/processes/:processId', '/sandbox/terminals/:processId'],
  ...['/admin/audit', '/admin/channels/new', '/admin/health', '/admin/logs', '/admin/usage', '/channels/new'],
]

/** Of the screens that the console itself has. */
async function routesOfConsole(): Promise<readonly string[]> {
  const screens = fileURLToPath(new URL('../../../plugins/feature-console/web/screens', import.meta.url))
  const lists = await Promise.all(
    (await readdir(screens)).map(async (name) => {
      const text = await readFile(path.join(screens, name, 'index.ts'), 'utf8')
      const list = /\broutes: \[([^\]]*)\]/.exec(text)?.[1]
      if (list === undefined) throw new Error(`The screen ${name} says its routes in another way than this test reads.`)
      return [...list.matchAll(/'([^']+)'/g)].map(([, route = '']) => route)
    }),
  )
  return lists.flat()
}

/** Of the screens that plugins bring. */
async function routesOfPlugins(ada: Person): Promise<readonly string[]> {
  const { body } = await ada.request('GET', '/api/console/panels?limit=200')
  const { items, next_cursor: next } = body as unknown as Panels
  expect(next, 'this test reads one page').to.equal(null)
  return items.flatMap(({ page_routes }) => page_routes)
}

interface Panels {
  readonly items: readonly { readonly page_routes: readonly string[] }[]
  readonly next_cursor: string | null
}

describe('texts of others in the console', function () {
  this.timeout(120_000)
  let folder: string
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream
  let town: Town
  let opened: ConsolePage
  const things: Record<string, string> = {}
  const requested: string[] = []
  const shares = new Map<string, string>()

  const make = async (method: string, at: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await ada.request(method, at, body)
    expect(answer.status, `${method} ${at}: ${JSON.stringify(answer.body)}`).to.be.lessThan(300)
    return answer.body
  }
  const upload = async (name: string, content: string): Promise<void> => {
    const at = `${agents.kernel.url}/api/files/content?path=${encodeURIComponent(`files/${name}`)}`
    const answer = await fetch(at, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/octet-stream' },
      body: content,
    })
    expect(answer.status, name).to.be.lessThan(300)
  }

  const share = async (name: string, of: object): Promise<void> => {
    const { content_url, page_url } = await make('POST', '/api/shares', of)
    for (const [what, url] of Object.entries({ content: content_url, page: page_url }))
      shares.set(`${what} of ${name}`, new URL(String(url)).pathname)
  }

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-foreign-'))
    setScript({ answer: (request) => (resultsIn(request).length === 0 ? callsForeign() : saysPlanted()) })
    town = newTown()
    agents = await startAgentsKernel({
      plugins: [
        await writeTestPlugin(path.join(folder, 'town'), townPlugin, new URL('../channels/support/town-plugin.js', import.meta.url)),
        await writeTestPlugin(path.join(folder, 'foreign'), foreignTool, new URL(import.meta.url)),
      ],
    })
    ada = await agents.person('ada')
    await confirm(ada)
    stream = await ada.stream()
    await fillAll()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' }, confirmed: true })
    const { origin } = new URL(agents.kernel.url)
    await opened.context.route(
      (url) => /^(https?|wss?):$/.test(url.protocol) && url.origin !== origin,
      (route) => {
        requested.push(route.request().url())
        return route.abort()
      },
    )
  })
  after(async () => {
    stream?.close()
    await closeBrowser()
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Fills everything that a stranger, a model, a file or another user may have written. */
  async function fillAll(): Promise<void> {
    await make('PATCH', '/api/auth/me', { name: shortText })
    await make('POST', '/api/admin/users', { username: 'eve', password: 'a long enough password', name: shortText })
    things['userId'] = ada.userId
    const agent = { handle: 'foreign', name: shortText, description: lineText, instructions: longText, tools: ['foreign__text'] }
    things['agentId'] = String((await make('POST', '/api/agents', agent))['id'])
    await make('PATCH', `/api/agents/${ada.agentId}`, { name: shortText, tools: ['foreign__text'], approval: { '*': 'never' } })
    const space = String((await make('POST', '/api/spaces', { name: shortText, description: lineText, context: longText }))['id'])

    // A whole turn, one that waits for a person, and one whose upstream fails.
    const chat = await ada.newChat()
    things['chatId'] = chat
    expect((await endOf(stream, await ada.post(chat, longText))).name).to.equal('run.completed')
    await make('PATCH', `/api/chats/${chat}`, { title: shortText, space_id: space, tags: ['planted'] })
    const asking = String((await make('POST', '/api/chats', { agent_id: things['agentId'] }))['id'])
    things['asking'] = asking
    const run = await ada.post(asking, longText)
    await stream.until(({ name, data }) => name === 'approval.requested' && Object(data['approval'])['run_id'] === run)
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        throw providerError.create({ failure: 'bad_request', retryable: false, connection: 'upstream', model: shortText, reason: lineText })
      },
    })
    const failing = await ada.newChat()
    things['failing'] = failing
    expect((await endOf(stream, await ada.post(failing, longText))).name).to.equal('run.failed')

    await make('POST', '/api/memory', { text: lineText.slice(0, 3_000) })
    await make('POST', '/api/tasks', { title: shortText, instruction: longText, due_at: '2999-01-01T00:00:00Z' })
    await make('POST', '/api/skills', { name: 'planted', description: lineText.slice(0, 900) })
    await make('POST', '/api/prompts', { command: 'planted', title: shortText, text: longText })
    await make('POST', '/api/auth/tokens', { name: shortText })
    await make('POST', '/api/admin/policies', {
      text: 'forbid (principal, action, resource) when { false };',
      description: lineText.slice(0, 400),
    })
    const credential = { name: 'planted', title: shortText, fields: [{ name: 'token', value: 'a secret of Ada' }] }
    const credentialId = String((await make('POST', '/api/credentials', credential))['id'])
    await make('POST', '/api/credentials/grants', { agent_id: things['agentId'], source: { kind: 'local', credential_id: credentialId } })

    const page = `<!doctype html><title>planted</title>${longText}`
    await upload(`${shortText}.txt`, longText)
    await upload(`${shortText}.md`, longText)
    await upload('planted.html', page)
    await upload('planted.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload="top.acted=1"><script>top.acted=1</script></svg>`)
    await upload('planted.csv', `${shortText},b\n"${shortText}",c\n`)
    for (const name of [`${shortText}.md`, 'planted.html', 'planted.svg']) {
      await share(name, { path: `files/${name}` })
    }
    await share('the chat', { chat_id: chat })

    const connection = await make('POST', '/api/channels/connections', { channel: 'town', title: shortText, members: { token: 'x' } })
    things['connectionId'] = String(connection['id'])
    await eventually(() => town.hosts.length > 0, { what: 'a connection' })
    const own = town.hosts.at(-1)
    const shared = await make('POST', '/api/admin/channels/connections', { channel: 'town', title: shortText, members: { token: 'y' } })
    things['sharedConnectionId'] = String(shared['id'])
    const message = said('1', longText)
    await own?.receive({ messages: [{ ...message, sender: { ...message.sender, name: shortText } }] })
    await stream.until(({ name, data }) => name === 'notification.created' && data['kind'] === 'channel.pairing')
  }

  const expectHarmless = async (what: string): Promise<void> => {
    expect(await opened.page.evaluate(planted), what).to.deep.equal([])
    expect(await opened.page.evaluate('window.acted'), what).to.equal(undefined)
    expect(requested, what).to.deep.equal([])
  }
  const concrete = (route: string): string =>
    route
      .replace(/^(\/admin\/channels\/):connectionId/, '$1:sharedConnectionId')
      .replace(/\/\*$/, '')
      .replace(/:(\w+)/g, (_, name: string) => {
        if (name === 'processId' || name === 'vaultId') return 'nothing'
        return things[name] ?? expect.fail(`${route} has the parameter ${name}, which this test does not fill.`)
      })

  it('are text on every screen', async () => {
    const all = [...(await routesOfConsole()), ...(await routesOfPlugins(ada))].sort()
    const routes = all.filter((route) => !(route in elsewhere))
    expect(routes.length).to.be.greaterThan(50)
    expect(routes).to.include.members([...withoutTexts])
    for (const route of routes) {
      const at = concrete(route)
      await opened.open(at)
      if (!withoutTexts.includes(route)) {
        await eventually(() => opened.page.evaluate(isShown), { what: () => `${at} shows none of the texts` })
      }
      await expectHarmless(at)
    }
  })

  it('are text where a chat waits for a person, and where its upstream has failed', async () => {
    for (const chat of ['asking', 'failing']) {
      await opened.open(`/chats/${things[chat]}`)
      await eventually(() => opened.page.evaluate(isShown), { what: () => `${chat} shows none of the texts` })
      await expectHarmless(chat)
    }
  })

  it('run nothing in the previews of files', async () => {
    for (const name of [`${shortText}.txt`, `${shortText}.md`, 'planted.html', 'planted.svg', 'planted.csv']) {
      await opened.open('/files')
      await opened.page.getByText(name, { exact: true }).first().click()
      await opened.page.getByRole('dialog').first().waitFor()
      await expectHarmless(name)
    }
  })

  it('gave the browser nothing to refuse on any of these screens', () => {
    expect(opened.complaints.filter((complaint) => /Content Security Policy|uncaught/.test(complaint))).to.deep.equal([])
  })

  it('run nothing on the pages of shares, whose contents have a sandbox of their own', async () => {
    for (const [name, url] of shares) {
      const answer = await opened.page.goto(url)
      expect(answer?.status(), name).to.equal(200)
      expect(answer?.headers()['content-security-policy'], name).to.match(name.startsWith('page') ? /default-src 'none'/ : /sandbox/)
      if (name.startsWith('page')) await expectHarmless(name)
      expect(await opened.page.evaluate('window.acted'), name).to.equal(undefined)
    }
    expect(requested).to.deep.equal([])
  })
})
