import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { JsonValue } from '@agent-service/sdk'
import { describeCliCommand } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { addPromptCommand } from './add-prompt.js'
import { listPromptsCommand } from './list-prompts.js'
import { removePromptCommand } from './remove-prompt.js'
import { showPromptCommand } from './show-prompt.js'

const own = { id: 'p1', command: 'mail', title: 'A mail', own: true, owner: null, shared: 'me', shadowed: false, used_at: null }
const shared = { ...own, id: 'p2', title: 'Mail to customers', own: false, owner: 'ada', shared: 'everyone', shadowed: true }
const other = { ...shared, id: 'p3', command: 'news', title: 'News', shadowed: false, used_at: '2026-07-01T07:00:00.000Z' }
const items = [own, shared, other]

const answer = (method: string, at: string, body?: JsonValue): JsonValue => {
  if (method === 'POST') return { ...own, ...(body as object) }
  if (at.startsWith('/api/prompts?')) return { items: at.includes('whose=own') ? [own] : items, next_cursor: null }
  return at === '/api/prompts/p1' ? { ...own, text: 'Write a mail.' } : at === '/api/prompts/p3' ? { ...other, text: 'Write news.' } : null
}

describeCliCommand({
  name: 'prompts list',
  create: () => listPromptsCommand,
  examples: [
    {
      title: 'whose each is',
      answer,
      check({ lines, json }) {
        expect(lines).to.deep.equal([
          'COMMAND  WHOSE  LAST USED  TITLE',
          '/mail  yours  never  A mail',
          '/mail  shared by ada, yours is used  never  Mail to customers',
          '/news  shared by ada  2026-07-01 07:00  News',
        ])
        expect(json).to.deep.equal({ items })
      },
    },
    {
      title: 'that there are none',
      answer: () => ({ items: [], next_cursor: null }),
      check: ({ lines }) => expect(lines).to.deep.equal(['There are no prompts.']),
    },
  ],
})
describeCliCommand({
  name: 'prompts show',
  create: () => showPromptCommand,
  examples: [
    {
      title: 'the own one before the shared one',
      arguments: ['/mail'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['Write a mail.']),
    },
    { title: 'a shared one', arguments: ['news'], answer, check: ({ lines }) => expect(lines).to.deep.equal(['Write news.']) },
  ],
})
describeCliCommand({
  name: 'prompts add',
  create: () => addPromptCommand,
  examples: [
    {
      title: 'that it was saved, with a title',
      arguments: ['mail', 'Write a mail to {{whom}}.'],
      options: { title: 'A mail' },
      answer(method, at, body) {
        expect([method, at, body]).to.deep.equal([
          'POST',
          '/api/prompts',
          { command: 'mail', title: 'A mail', text: 'Write a mail to {{whom}}.' },
        ])
        return answer(method, at, body)
      },
      check: ({ lines }) => expect(lines).to.deep.equal(['Saved “/mail”.']),
    },
    {
      title: 'that a text is needed',
      arguments: ['mail'],
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['Give the text, or a file with --file.']),
    },
  ],
})
describeCliCommand({
  name: 'prompts remove',
  create: () => removePromptCommand,
  examples: [
    { title: 'that it is gone', arguments: ['mail'], answer, check: ({ lines }) => expect(lines).to.deep.equal(['Deleted “/mail”.']) },
  ],
})

describe('the text of a prompt from a file', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'prompts-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const add = async (file: string): Promise<readonly unknown[]> => {
    const sent: unknown[] = []
    const context = {
      arguments: ['mail'],
      options: { file },
      request: async (_method: string, _at: string, body: unknown) => {
        sent.push(body)
        return { command: 'mail' }
      },
      print: async () => undefined,
    }
    await addPromptCommand.run(context as never)
    return sent
  }

  it('is taken without the end of its last line', async () => {
    await writeFile(path.join(folder, 'mail.txt'), 'Two\nlines\n')
    expect(await add(path.join(folder, 'mail.txt'))).to.deep.equal([{ command: 'mail', title: 'mail', text: 'Two\nlines' }])
  })

  it('names a file that is not there', async () => {
    const error = await add(path.join(folder, 'absent.txt')).catch((reason: Error) => reason)
    expect(error).to.have.property('message').that.contains('it does not exist')
  })
})
