import { expect } from 'chai'
import { type AskingKernel, askedOnce, callsWith, type ScriptedCall, startAskingKernel } from '../agents/support/asking-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { runCommand } from '../support/command.js'
import { controlC, openTerminal } from '../support/pseudo-terminal.js'

describe('questions at agent-service chat', function () {
  this.timeout(60_000)
  let asking: AskingKernel
  const person = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: 'a long enough password' }
  const agent = { tools: ['tool__unsafe', 'ask_user'], approval: { '*': 'always' } }

  before(async () => {
    setScript()
    asking = await startAskingKernel()
    await asking.person('ada', agent)
  })
  after(() => asking?.close())

  const script = (...calls: readonly ScriptedCall[]) => {
    const made = setScript({ answer: (request) => (resultsIn(request).length === 0 ? callsWith(...calls) : says('Well done.')) })
    return () =>
      resultsIn(made.requests.at(-1) ?? expect.fail('no request')).map(({ content }) =>
        content.map((part) => (part.type === 'text' ? part.text : '')).join(),
      )
  }
  const chat = ({ as = 'ada', chatId }: { readonly as?: string; readonly chatId?: string } = {}) => {
    const args = ['chat', '--url', asking.kernel.url, ...(chatId === undefined ? [] : ['--chat', chatId])]
    const session = openTerminal({ folder: asking.kernel.folder, args, environment: { ...person, AGENT_SERVICE_USERNAME: as } })
    return { ...session, say: (line: string) => session.press(`${line}\r`) }
  }

  it('are asked and answered there', async () => {
    const read = script(
      { name: 'tool__unsafe' },
      { name: 'ask_user', arguments: { question: 'Tea or coffee?', options: ['Tea', 'Coffee'] } },
    )
    const command = chat()
    await command.prompts('you>')
    command.say('Do it')
    await command.shows('The agent wants to use tool__unsafe: A tool that is unsafe')
    await command.prompts('answer>')
    command.say('perhaps')
    await command.shows('Type y or n.')
    await command.prompts('answer>')
    command.say('y but gently')
    await command.shows('The agent asks: Tea or coffee?')
    await command.prompts('answer>')
    command.say('2')
    await command.shows('Well done.')
    await command.prompts('you>')
    command.say('/exit')
    expect(await command.ended).to.equal(0)
    expect(read()).to.deep.equal(['done\nThe person approved this call and wrote: but gently'.replace('\n', ','), 'Coffee'])
  })

  it('allow a kind of calls from now on by its number, and ask again without one', async () => {
    const calls = [{ folder: 'garden' }, { folder: 'garden', text: 'more' }, { folder: 'cellar' }]
    setScript({
      answer(request) {
        const next = calls[resultsIn(request).length]
        return next === undefined ? says('Well done.') : callsWith({ name: 'tool__write', arguments: next })
      },
    })
    const cleo = await asking.person('cleo', { tools: ['tool__write'], approval: { '*': 'first_time' } })
    const command = chat({ as: 'cleo' })
    await command.prompts('you>')
    command.say('Do it')
    await command.shows('  2  Write into garden')
    await command.prompts('answer>')
    command.say('always')
    await command.shows('Type y, n, or a and a number from the list.')
    await command.prompts('answer>')
    command.say('a 2')
    await command.shows('(from now on without asking: Write into garden)')
    await command.shows('  {"folder":"cellar"}')
    await command.prompts('answer>')
    command.say('y')
    await command.shows('Well done.')
    await command.prompts('you>')
    command.say('/exit')
    expect(await command.ended).to.equal(0)
    const asked = command.unwrapped().filter((line) => line.startsWith('The agent wants to use'))
    expect(asked, 'the second call is of the kind that was allowed').to.have.length(2)
    const { items } = (await cleo.request('GET', `/api/agents/${cleo.agentId}/grants`)).body as {
      readonly items: readonly { readonly label: string }[]
    }
    expect(items.map(({ label }) => label)).to.deep.equal(['Write into garden'])
  })

  it('disappear when they are answered on another device', async () => {
    const read = script({ name: 'tool__unsafe' })
    const ada = await asking.otherDevice('ada')
    const stream = await ada.stream()
    const command = chat()
    await command.prompts('you>')
    command.say('Do it')
    await command.shows('The agent wants to use tool__unsafe')
    const runId = String((await stream.until(({ name }) => name === 'run.waiting')).data['run_id'])
    await ada.answer(await askedOnce(stream, runId), 'deny', 'From the phone.')
    await command.shows('(tool__unsafe: denied)')
    await command.shows('Well done.')
    // What is typed now is said, not answered.
    command.say('/exit')
    expect(await command.ended).to.equal(0)
    expect(read()[0]).to.include('From the phone.')
    stream.close()
  })

  it('stay pending if there is no terminal, and are asked when the chat continues', async () => {
    const read = script({ name: 'tool__unsafe' })
    const command = runCommand(asking.kernel.folder, ['chat', '--url', asking.kernel.url, '--message', 'Do it'], person)
    expect(await command.ended).to.equal(1)
    const [, chatId] = /agent-service chat --chat (\S+)/.exec(command.output()) ?? expect.fail(command.output())
    const again = chat({ chatId: chatId ?? '' })
    await again.shows('The agent wants to use tool__unsafe')
    await again.prompts('answer>')
    again.say('no')
    await again.shows('Well done.')
    await again.prompts('you>')
    again.say('/exit')
    expect(await again.ended).to.equal(0)
    expect(read()[0]).to.match(/^Not run/)
  })

  it('show control characters of the agent instead of carrying them out', async () => {
    script({ name: 'ask_user', arguments: { question: 'Really\u001b]0;owned\u0007\u202e?', options: ['a\u001b[2J', 'b'] } })
    const command = chat()
    await command.prompts('you>')
    command.say('Do it')
    await command.prompts('answer>')
    expect(command.lines()).to.include.members(['The agent asks: Really␛]0;owned␇<U+202E>?', '  1  a␛[2J'])
    expect(command.title()).to.equal('')
    command.say('2')
    await command.shows('Well done.')
    await command.prompts('you>')
    command.say('/exit')
    expect(await command.ended).to.equal(0)
  })

  it('end with the run when it is stopped', async () => {
    script({ name: 'tool__unsafe' })
    const command = chat()
    await command.prompts('you>')
    command.say('Do it')
    await command.prompts('answer>')
    command.press(controlC)
    await command.shows('(tool__unsafe: withdrawn)')
    await command.shows('(stopped)')
    command.say('/exit')
    expect(await command.ended).to.equal(0)
  })
})
