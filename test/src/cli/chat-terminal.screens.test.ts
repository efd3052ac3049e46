import { expect } from 'chai'
import { type AskingKernel, startAskingKernel } from '../agents/support/asking-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { controlC, controlD, openTerminal, type TerminalOptions, type TerminalSession } from '../support/pseudo-terminal.js'
import { hangs, writes } from './support/gated-answer.js'

const escapeKey = '\u001b'
/** Clears the screen, sets the title and the clipboard, and writes text backwards. */
const hostile = [`${escapeKey}[2`, `J${escapeKey}]0;owned\u0007${escapeKey}]52;c;`, 'aGk=\u0007 \u009b31m \u007f \u202eevil\u202c']
const shownHostile = '␛[2J␛]0;owned␇␛]52;c;aGk=␇ <U+009B>31m ␡ <U+202E>evil<U+202C>'
const mixed = '今日は東京で会議があります。👩‍🚀と🎉を見た。'.repeat(4)

/** Resizes the terminal and waits until the program has painted its line again. */
async function resized(session: TerminalSession, columns: number): Promise<void> {
  const before = session.raw().length
  session.resize(columns)
  await session.until(`the line at ${columns} columns`, ({ raw }) => raw().length > before)
}

describe('agent-service chat in a pseudo-terminal', function () {
  this.timeout(120_000)
  let asking: AskingKernel
  const sessions: TerminalSession[] = []
  const person = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: 'a long enough password' }

  before(async () => {
    setScript()
    asking = await startAskingKernel()
    await asking.person('ada')
  })
  afterEach(() => {
    for (const session of sessions.splice(0)) session.close()
  })
  after(() => asking?.close())

  const open = (args: readonly string[], options: Partial<TerminalOptions> = {}): TerminalSession => {
    const session = openTerminal({
      ...{ folder: asking.kernel.folder, ...options },
      args: [...args, '--url', asking.kernel.url],
      environment: { ...person, ...options.environment },
    })
    sessions.push(session)
    return session
  }
  /** Begins a conversation and waits for its prompt. */
  const converse = async (options: Partial<TerminalOptions> = {}): Promise<TerminalSession> => {
    const session = open(['chat'], options)
    await session.prompts('you>')
    return session
  }
  const leave = async (session: TerminalSession): Promise<void> => {
    await session.prompts('you>')
    session.press(controlD)
    expect(await session.ended).to.equal(0)
  }

  it('shows control characters of an answer instead of carrying them out, also split over deltas', async () => {
    setScript({ answer: () => writes('Before. ', ...hostile, ' \ud83c', '\udf89 after.') })
    const chat = await converse({ columns: 120 })
    chat.press('Hi\r')
    await chat.shows('after.')
    await leave(chat)
    expect(chat.unwrapped()).to.include(`Before. ${shownHostile} 🎉 after.`)
    expect(chat.title()).to.equal('')
    for (const sequence of [`${escapeKey}]`, `${escapeKey}[2J`, '\u0007', '\u009b', '\u202e']) expect(chat.raw()).not.to.include(sequence)
  })

  it('shows them in titles too, in every table and in the history', async () => {
    setScript({ answer: () => writes('Well.') })
    const ada = await asking.person('ada')
    const { chatId } = await ada.begin('A message')
    await ada.request('PATCH', `/api/chats/${chatId}`, { title: `Bad${escapeKey}]0;owned\u0007\u202etitle` })
    for (const [args, shown] of [
      [['chats', 'list'], 'Bad␛]0;owned␇<U+202E>title'],
      [['chats', 'show', chatId], 'Bad␛]0;owned␇<U+202E>title'],
      [['chat', '--chat', chatId], '“Bad␛]0;owned␇<U+202E>title”'],
    ] as const) {
      const session = open(args, { columns: 120 })
      await session.shows(shown)
      if (args[0] === 'chat') {
        // The history comes before the prompt, and looks like it.
        await session.shows('Well.')
        await leave(session)
      } else expect(await session.ended).to.equal(0)
      expect(session.title()).to.equal('')
      for (const character of ['\u0007', '\u202e']) expect(session.raw()).not.to.include(character)
    }
  })

  for (const columns of [80, 50]) {
    it(`wraps wide characters at ${columns} columns without losing or cutting one`, async () => {
      setScript({ answer: () => writes(mixed) })
      const chat = await converse({ columns })
      chat.press('Hi\r')
      await chat.shows(mixed.slice(-12))
      await leave(chat)
      expect(chat.unwrapped()).to.include(mixed)
    })

    it(`lists chats readably at ${columns} columns`, async () => {
      const ada = await asking.person('ada')
      const { body } = await ada.request('POST', '/api/chats', {
        title: `${columns}: 今日は東京で会議があります。今日は東京で会議があります。`,
      })
      const list = open(['chats', 'list'], { columns })
      expect(await list.ended).to.equal(0)
      expect(list.lines().some((line) => line.includes(String(body['id'])))).to.equal(true)
      expect(list.unwrapped().some((line) => line.includes(`${columns}: 今日`))).to.equal(true)
    })
  }

  it('keeps the screen whole when the terminal is resized during an answer', async () => {
    let goOn: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const first = Array.from({ length: 30 }, (_, index) => `first${index}`).join(' ')
    const second = Array.from({ length: 30 }, (_, index) => `second${index}`).join(' ')
    setScript({ answer: () => writes(`${first}\n`, 'Half a ', gate, `line.\n${second}`) })
    const chat = await converse({ columns: 80 })
    chat.press('Hi\r')
    await chat.shows('Half a')
    chat.press('typed ahead')
    for (const columns of [50, 120, 60]) chat.resize(columns)
    goOn()
    await chat.shows('second29')
    await chat.prompts('you> typed ahead')
    expect(chat.unwrapped().slice(-4, -1)).to.deep.equal([first, 'Half a line.', second])
    // Nothing is painted again within the answer, whatever a terminal makes of its own lines.
    expect(chat.raw()).to.include(`${first}\r\nHalf a line.\r\n${second}\r\n`)
    expect(chat.unwrapped().filter((line) => line.startsWith('you>'))).to.deep.equal(['you> Hi', 'you> typed ahead'])
  })

  it('keeps a long line whole that is being typed when the terminal is resized, and edits it', async () => {
    setScript({ answer: (request) => writes(`You said ${JSON.stringify(request.messages.at(-1)?.content)}`) })
    const chat = await converse({ columns: 80 })
    const typed = Array.from({ length: 18 }, (_, index) => `word${index}`).join(' ')
    chat.press(typed)
    await chat.until('the typed line', ({ unwrapped }) => unwrapped().at(-1) === `you> ${typed}`)
    await resized(chat, 50)
    chat.press('!?')
    await chat.until('the line at 50 columns', ({ unwrapped }) => unwrapped().at(-1) === `you> ${typed}!?`)
    chat.press('\u007f')
    await chat.until('the shortened line', ({ unwrapped }) => unwrapped().at(-1) === `you> ${typed}!`)
    chat.press('\r')
    await chat.shows(`${typed}!"`)
    await leave(chat)
    expect(chat.unwrapped().filter((line) => line.startsWith('you> word0'))).to.deep.equal([`you> ${typed}!`])
  })

  it('stops the answer at Ctrl-C, and leaves at the next one', async () => {
    setScript({ answer: (_, signal) => hangs('Thinking', signal) })
    const chat = await converse()
    chat.press('Hi\r')
    await chat.shows('Thinking')
    chat.press(controlC)
    await chat.shows('(stopped)')
    await chat.prompts('you>')
    chat.press(controlC)
    expect(await chat.ended).to.equal(0)
  })

  it('leaves at Ctrl-C while it asks for a name or password, which it does not show', async () => {
    const chat = open(['chat'], { environment: { AGENT_SERVICE_USERNAME: '', AGENT_SERVICE_PASSWORD: '' } })
    await chat.prompts('Username:')
    chat.press('ada\r')
    await chat.prompts('Password:')
    chat.press('secret')
    chat.press(controlC)
    expect(await chat.ended).to.equal(1)
    expect(chat.raw()).not.to.include('secret')
  })

  it('stops the answer of --message at Ctrl-C and ends with 1', async () => {
    setScript({ answer: (_, signal) => hangs('Thinking', signal) })
    const chat = open(['chat', '--message', 'Hi'])
    await chat.shows('Thinking')
    chat.press(controlC)
    expect(await chat.ended).to.equal(1)
    expect(chat.lines()).to.include('(stopped)')
  })

  it('writes no escape sequence to a terminal without capabilities, and no colour with NO_COLOR', async () => {
    setScript({ answer: () => writes('Hello.') })
    const dumb = await converse({ environment: { TERM: 'dumb' } })
    dumb.resize(50)
    dumb.press('Hi\r')
    await dumb.shows('Hello.')
    await leave(dumb)
    expect(dumb.raw()).not.to.include(escapeKey)
    const plain = await converse({ environment: { NO_COLOR: '1' } })
    await leave(plain)
    expect(
      plain
        .raw()
        .split(`${escapeKey}[`)
        .filter((after) => /^\d*m/.test(after)),
    ).to.deep.equal([])
  })

  it('shows the last messages of an earlier chat and goes on there', async () => {
    setScript({ answer: () => writes('The first answer.') })
    const first = open(['chat', '--message', 'The first question', '--json'])
    expect(await first.ended).to.equal(0)
    const { chat_id: chatId } = JSON.parse(first.unwrapped().join('\n')) as { readonly chat_id: string }
    setScript({ answer: ({ messages }) => writes(`This is message ${messages.length}.`) })
    const chat = open(['chat', '--chat', chatId])
    await chat.shows('The first answer.')
    await chat.prompts('you>')
    expect(chat.lines().slice(-4)).to.deep.equal([
      'The last messages of “The first question”:',
      'you> The first question',
      'The first answer.',
      'you> ',
    ])
    chat.press('And now?\r')
    await chat.shows('This is message')
    await leave(chat)
  })
})
