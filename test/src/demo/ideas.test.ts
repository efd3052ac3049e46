import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type Api, type EventStream, type StreamedEvent, signUp } from '../support/api.js'
import { demoEnvironment, demoPlugin, ideaTexts, saidIn } from './support/demo-ideas.js'

interface Waiting {
  readonly run_id: string
  readonly call_id: string
  readonly tool: string
  readonly kind: string
}

/** One chat with the demo: what is asked, what it wants to know, and what it says in the end. */
interface Talk {
  readonly chat: string
  /** The next question or approval. */
  asked(tool: string): Promise<Waiting>
  answer(waiting: Waiting, body: Readonly<Record<string, unknown>>): Promise<void>
  /** All that the agent has said, once its run has ended. */
  said(): Promise<string>
}

const ends = ['run.completed', 'run.failed', 'run.cancelled']

async function talk(ada: Api, content: string): Promise<Talk> {
  const stream = await ada.stream()
  const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
  const posted = await ada.request('POST', `/api/chats/${chat}/messages`, { content })
  expect(posted.status, JSON.stringify(posted.body)).to.equal(202)
  const run = (posted.body['run'] as { readonly id: string }).id
  return {
    chat,
    asked: (tool) => askedBy(ada, tool, ({ run_id }) => run_id === run),
    answer: (waiting, body) => answer(ada, waiting, body),
    async said() {
      const last = await stream.until(({ name, data }) => data['run_id'] === run && ends.includes(name))
      stream.close()
      expect(last.name, JSON.stringify(last.data)).to.equal('run.completed')
      return saidIn(ada, chat)
    },
  }
}

const askedBy = (ada: Api, tool: string, fits: (waiting: Waiting) => boolean): Promise<Waiting> =>
  eventually(async () => {
    const { body } = await ada.request('GET', '/api/approvals?status=pending')
    return (body['items'] as readonly Waiting[]).find((waiting) => waiting.tool === tool && fits(waiting))
  })

async function answer(ada: Api, { run_id, call_id }: Waiting, body: Readonly<Record<string, unknown>>): Promise<void> {
  const answered = await ada.request('POST', `/api/runs/${run_id}/approvals/${call_id}`, body)
  expect(answered.status, JSON.stringify(answered.body)).to.equal(200)
}

/** The file in the workspace of the first agent; undefined: there is none. */
async function workspaceFile({ url, token }: Api, name: string): Promise<string | undefined> {
  const place = `${url}/api/files/content?path=${encodeURIComponent(`workspaces/assistant/${name}`)}`
  const found = await fetch(place, { headers: { authorization: `Bearer ${token}` } })
  return found.status === 404 ? undefined : found.text()
}

const expected = {
  en: {
    picture: 'population.svg',
    list: 'moving.md',
    review: 'weekly-review',
    denied: /your profile stays as it is/,
    noted: /profile now says \*\*Ada\*\*/,
    notRun: /I did not run it/,
  },
  de: {
    picture: 'bevoelkerung.svg',
    list: 'umzug.md',
    review: 'wochenrueckblick',
    denied: /Dein Profil bleibt|dein Profil bleibt/,
    noted: /steht jetzt \*\*Ada\*\*/,
    notRun: /nicht ausgeführt/,
  },
} as const

describe('the ideas of the start page in the demo', function () {
  this.timeout(120_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({ plugins: [demoPlugin], environment: demoEnvironment(0), demo: true })
  })
  after(() => kernel.stop())

  for (const language of ['en', 'de'] as const) {
    const ideas = ideaTexts(language)
    const words = expected[language]
    let ada: Api
    const tools = async (): Promise<readonly string[]> => {
      const { items } = (await ada.request('GET', '/api/agents')).body as { readonly items: readonly { readonly id: string }[] }
      const { body } = await ada.request('GET', `/api/tools?agent=${items[0]?.id}&limit=200`)
      return (body['items'] as readonly { readonly name: string; readonly available: boolean }[]).flatMap(({ name, available }) =>
        available ? [name] : [],
      )
    }

    describe(language, () => {
      before(async () => {
        ada = await signUp(kernel.url, `ada-${language}`)
      })

      it('notes a name after an approval, and nothing after a denial', async () => {
        const nameOf = async () => (await ada.request('GET', '/api/auth/me')).body['name']
        const before = await nameOf()
        for (const [decision, end, name] of [
          ['deny', words.denied, before],
          ['approve_once', words.noted, 'Ada'],
        ] as const) {
          const { asked, answer, said } = await talk(ada, ideas.approval)
          await answer(await asked('ask_user'), { decision: 'answer', note: language === 'de' ? 'Ich heiße Ada.' : 'My name is Ada.' })
          await answer(await asked('update_profile'), { decision })
          const text = await said()
          expect(text)
            .to.match(end)
            .and.not.match(/\bdemo\b/i)
          expect(await nameOf()).to.equal(name)
        }
      })

      it('runs a program in the sandbox that writes a file, if the person lets it; without a sandbox it writes one itself', async () => {
        if (!(await tools()).includes('python')) {
          await (await talk(ada, ideas.file)).said()
          expect(await workspaceFile(ada, words.list)).to.match(/^# /)
          return
        }
        const denied = await talk(ada, ideas.chart)
        await denied.answer(await denied.asked('python'), { decision: 'deny' })
        expect(await denied.said()).to.match(words.notRun)
        expect(await workspaceFile(ada, words.picture)).to.equal(undefined)

        const { asked, answer, said } = await talk(ada, ideas.chart)
        await answer(await asked('python'), { decision: 'approve_once' })
        expect(await said())
          .to.include(`**${words.picture}**`)
          .and.not.match(/\bdemo\b/i)
        expect(await workspaceFile(ada, words.picture)).to.match(/^<svg .*<rect .*2020.*<\/svg>$/)
      })

      it('writes a table', async () => {
        const { chat, said } = await talk(ada, ideas.table)
        expect(await said())
          .to.match(/^\| \*\*.+\|\n/m)
          .and.not.match(/\bdemo\b/i)
        await eventually(async () => /Three ways|Drei Wege/.test(String((await ada.request('GET', `/api/chats/${chat}`)).body['title'])))
      })

      it('plans a task for every Friday, which then asks and saves the answer', async () => {
        const { said } = await talk(ada, ideas.task)
        expect(await said()).to.not.match(/\bdemo\b/i)
        const { body } = await ada.request('GET', '/api/tasks')
        const [task] = body['items'] as readonly { readonly id: string; readonly schedule: { readonly cron: string } | null }[]
        expect(task?.schedule?.cron).to.equal('0 16 * * FRI')
        expect((await ada.request('POST', `/api/tasks/${task?.id}/run`)).status).to.be.within(200, 202)
        await answer(ada, await askedBy(ada, 'ask_user', () => true), { decision: 'answer', note: 'The roof is done.' })
        const folder = `workspaces/assistant/${words.review}`
        const saved = async () => {
          const { status, body } = await ada.request('GET', `/api/files?path=${folder}`)
          const [file] = status === 200 ? (body['items'] as readonly { readonly name: string }[]) : []
          return file && workspaceFile(ada, `${words.review}/${file.name}`)
        }
        expect(await eventually(saved)).to.equal('The roof is done.\n')
      })
    })
  }

  it('tells the name, the type and the size of an attached file', async () => {
    const ada = await signUp(kernel.url, 'ada-en')
    const content = 'eggs\nmilk\n'
    const put = await fetch(`${ada.url}/api/files/content?path=files/list.md`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'text/markdown' },
      body: content,
    })
    expect(put.status).to.equal(201)
    const stream: EventStream = await ada.stream()
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'What is this?', attachments: [{ path: 'files/list.md' }] })
    await stream.until(({ name }: StreamedEvent) => ends.includes(name))
    stream.close()
    expect(await saidIn(ada, chat)).to.include('**list.md** (Markdown, 10 bytes, 2 lines)')
  })
})
