import { expect } from 'chai'
import { isRevocation, messageOfEvent, messageOfInteraction } from './incoming.js'
import { readText } from './incoming-text.js'
import { eventOf } from './test-support/slack-bench.js'

const account = { userId: 'UAGENT', botId: 'BAGENT' }
const time = '1790000000.000100'

const received = (event: object, more: object = {}) => messageOfEvent({ type: 'event_callback', event, ...more }, account)

describe('messages of Slack', () => {
  it('takes a thread as a conversation, in which replies to the account are for it', () => {
    const thread = { thread_ts: '1780000000.000200' }
    const plain = received(eventOf('C1', 'UANN', 'and now?', time, thread))
    expect(plain?.conversation).to.deep.equal({ id: 'C1:1780000000.000200', kind: 'group' })
    expect(plain?.mentioned).to.equal(false)
    expect(received(eventOf('C1', 'UANN', 'and now?', time, { ...thread, parent_user_id: 'UAGENT' }))?.mentioned).to.equal(true)
  })

  it('passes over changes, deletions, other events and those of another workspace', () => {
    for (const subtype of ['message_changed', 'message_deleted', 'channel_join', 'constructor'])
      expect(received(eventOf('C1', 'UANN', 'x', time, { subtype }))).to.equal(undefined)
    expect(received({ ...eventOf('C1', 'UANN', 'x', time), type: 'app_mention' })).to.equal(undefined)
    expect(received(eventOf('C1', 'UANN', 'x', time), { authorizations: [{ user_id: 'UOTHER' }] })).to.equal(undefined)
    expect(received(eventOf('C1', 'UANN', 'x', time), { authorizations: [{ user_id: 'UAGENT' }] })?.text).to.equal('x')
  })

  it('passes over what cannot be a message, and takes no id as it is', () => {
    for (const event of [
      eventOf('c\n1', 'UANN', 'x', time),
      eventOf('C1', 'u 1', 'x', time),
      eventOf('C1', 'UANN', 'x', 'now'),
      {},
      { type: 'message' },
    ])
      expect(received(event)).to.equal(undefined)
  })

  it('takes only buttons of the account, with values of the service', () => {
    const press = (user: string, value: string) =>
      messageOfInteraction(
        {
          type: 'block_actions',
          user: { id: 'UANN' },
          channel: { id: 'C1' },
          message: { user, ts: time, thread_ts: time },
          actions: [{ type: 'button', value, action_ts: time, text: { text: 'Yes' } }],
        },
        account,
      )
    expect(press('UAGENT', 'yes')).to.include({ button: 'yes', text: 'Yes', mentioned: true })
    expect(press('UAGENT', 'yes')?.conversation.id).to.equal(`C1:${time}`)
    expect(press('UOTHER', 'yes')).to.equal(undefined)
    expect(press('UAGENT', 'a value with spaces')).to.equal(undefined)
  })

  it('leaves out files that are gone, and keeps names on one line', () => {
    const files = [
      { id: 'F1', mode: 'tombstone' },
      { id: 'F2', name: 'a\nb.txt', mimetype: 'text/plain\r\n', size: -1 },
      { id: 'not an id' },
      null,
    ]
    expect(received(eventOf('D1', 'UANN', '', time, { subtype: 'file_share', files }))?.attachments).to.deep.equal([
      { id: 'F2', name: 'a b.txt' },
    ])
  })

  it('quotes messages of others that are shared, with their files, whose names stay on one line', () => {
    const shared = { is_share: true, author_name: 'Eve\nyes', text: '<@UAGENT> /stop\nyes', files: [{ id: 'F1', name: 'a.txt' }] }
    const attachments = [shared, { is_msg_unfurl: true, text: 'yes' }, { title: 'A page', text: 'Preview' }, null]
    const message = received(eventOf('C1', 'UANN', '', time, { attachments }))
    expect(message?.text).to.equal('Forwarded message of Eve yes:\n> /stop\n> yes\n\nForwarded message:\n> yes')
    expect(message?.attachments).to.deep.equal([{ id: 'F1', name: 'a.txt' }])
    expect(message?.mentioned, 'by the words of another').to.equal(false)
    const said = received(eventOf('D1', 'UANN', 'Look', time, { attachments: [shared] }))
    expect(said?.text).to.match(/^Look\n\nForwarded message of Eve yes:\n> /)
  })

  it('sees that the app was removed', () => {
    expect(isRevocation({ event: { type: 'app_uninstalled' } }, account)).to.equal(true)
    expect(isRevocation({ event: { type: 'tokens_revoked', tokens: { oauth: ['UANN'], bot: ['UOTHER'] } } }, account)).to.equal(false)
  })

  it('shows marks as people see them', () => {
    const texts = {
      'ask <@UANN|ann> or <@UBOB>': 'ask @ann or @UBOB',
      'in <#C1|general>, <!here>, <!subteam^S1|@admins>': 'in #general, @here, @admins',
      '<https://town.example|the town> <https://town.example|town.example> <mailto:a@b.example|a@b.example>':
        'the town (https://town.example) https://town.example a@b.example',
      '&lt;@UAGENT&gt; &amp;lt;': '<@UAGENT> &lt;',
    }
    for (const [written, text] of Object.entries(texts)) expect(readText(written, 'UAGENT')).to.deep.equal({ text, mentioned: false })
    expect(readText('hey <@UAGENT> you', 'UAGENT')).to.deep.equal({ text: 'hey you', mentioned: true })
  })

  it('reads a message of 10 MB in a moment, and cuts it', () => {
    expect(readText('<'.repeat(10_000_000), 'UAGENT').text).to.have.length(250_000)
  })
})
