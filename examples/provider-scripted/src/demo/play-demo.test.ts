import { strict as assert } from 'node:assert'
import { Buffer } from 'node:buffer'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { playDemo } from './play-demo.js'

type Part = Extract<ModelMessage, { role: 'user' }>['content'][number]

const time = { type: 'text', text: '[Friday 2026-01-30, 16:00, Europe/Vienna (UTC+01:00)]' } as const

const person = (...content: readonly (Part | string)[]): ModelMessage => ({
  role: 'user',
  content: [...content.map((part) => (typeof part === 'string' ? { type: 'text' as const, text: part } : part)), time],
})

const result = (name: string, text: string, is_error = false): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool_result', call_id: name, name, content: [{ type: 'text', text }], is_error }],
})

const all = ['ask_user', 'create_task', 'get_time', 'python', 'remind_me', 'update_profile', 'write_file']

const play = (messages: readonly ModelMessage[], tools: readonly string[] = all) =>
  playDemo({ messages, tools: tools.map((name) => ({ name, description: '', parameters: {} })) } as unknown as ModelRequest)

const chart = 'Draw a chart of the population of the world.'

describe('the demo', () => {
  it('says the same again to the same conversation', () => {
    const messages = [person(chart), result('write_file', 'Made population.py.')]
    assert.deepEqual(play(messages), play(messages))
    assert.deepEqual(play(messages).call?.arguments, { file: 'population.py' })
  })

  it('writes the numbers of the chart itself where Python is not offered, or does not run', () => {
    for (const [before, tools] of [
      [[], ['write_file']],
      [[result('write_file', 'Made population.py.'), result('python', 'Python is not installed on this machine.', true)], all],
    ] as const) {
      const { call } = play([person(chart), ...before], tools)
      assert.equal(call?.arguments['path'], 'population.csv')
      const end = play([person(chart), ...before, result('write_file', 'Made population.csv.')], tools)
      assert.match(end.text, /\*\*population\.csv\*\*/)
      assert.equal(end.call, undefined)
    }
  })

  it('ends a scene after a denial, and names a tool that the agent lacks', () => {
    const denied = play([
      person(chart),
      result('write_file', 'Made it.'),
      result('python', 'Not run: the person did not allow this call.', true),
    ])
    assert.match(denied.text, /did not run it/)
    assert.equal(denied.call, undefined)
    assert.match(play([person(chart)], []).text, /`write_file`/)
  })

  it('calls a person by the name alone, and skips what they do not want to say', () => {
    const asked = person('Frag mich, wie du mich nennen sollst, und trag es dann in mein Profil ein.')
    assert.deepEqual(play([asked, result('ask_user', 'Nenn mich Ada.')]).call?.arguments, { name: 'Ada' })
    assert.equal(play([asked, result('ask_user', 'Not run: the person did not want to answer this question.', true)]).call, undefined)
  })

  it('reminds, reads the clock and greets, in the language of the person', () => {
    assert.deepEqual(play([person('Erinnere mich in 10 Minuten daran, Ada anzurufen!')]).call?.arguments, {
      text: 'Ada anzurufen',
      in_minutes: 10,
    })
    assert.deepEqual(play([person('What time is it in Europe/Vienna?')]).call?.arguments, { timezone: 'Europe/Vienna' })
    const read = result('get_time', '{"date": "2026-01-30", "time": "16:00:05", "timezone": "Europe/Vienna"}')
    assert.match(play([person('Wie spät ist es?'), read]).text, /Es ist 16:00 in der Zone Europe\/Vienna, am Freitag, 30\. Januar 2026/)
    assert.match(play([person('Hallo!')]).text, /^Hallo!/)
    assert.match(play([person('What can you do?')]).text, /- Draw a chart/)
  })

  it('tells name, type and size of files, of earlier messages too', () => {
    const file = { type: 'file', media_type: 'text/csv', name: 'a_b.csv', data: Buffer.from('1\n2\n').toString('base64') } as const
    const picture = { type: 'image', media_type: 'image/png', data: Buffer.alloc(2_500).toString('base64') } as const
    assert.match(play([person(file, 'What is this?')]).text, /\*\*a\\_b\.csv\*\* \(CSV, 4 bytes, 2 lines\)/)
    assert.match(play([person(file, picture, 'Und das?')]).text, /2 Dateien[\s\S]*- ein Bild \(PNG, 2,5 kB\)/)
    assert.match(play([person(file, 'Hi'), person('How long is the file?')]).text, /a\\_b\.csv/)
  })

  it('says what it is where it has no answer, and in no other one', () => {
    assert.match(play([person('Write a novel.')]).text, /this is the demo, and no model is connected[\s\S]*`npm start`/)
    assert.match(play([person('Schreib mir einen Roman.')]).text, /Das ist die Demo/)
    for (const asked of ['Hello!', 'What can you do?', chart]) assert.doesNotMatch(play([person(asked)]).text, /\bdemo\b/i)
  })

  it('titles a chat by its scene, and else by the words of the person', () => {
    const titleOf = (text: string) => play([person(`----- material x -----\nThe person:\n${text}\n\nThe agent:\nYes.\n-----`)], []).text
    assert.equal(titleOf(chart), 'World population since 1950')
    assert.equal(titleOf('How long do I cook rice?\nAnd lentils?'), 'How long do I cook rice?')
    assert.equal(titleOf('(the file a.csv)\nWhat is this?'), 'What is this?')
    assert.equal(titleOf('(the file a.csv)'), 'a.csv')
  })

  it('calls a tool by its name for authors of plugins', () => {
    const asked = person('call python {"code": "1"}')
    assert.deepEqual(play([asked]).call?.arguments, { code: '1' })
    assert.equal(play([asked, result('python', '1')]).text, 'The tool says: 1.')
  })
})
