import { expect } from 'chai'
import { readUpdate } from './message-of-update.js'

const bot = { id: 123456, username: 'town_bot' }
const ann = { id: 7, is_bot: false, first_name: 'Ann', last_name: 'Lee' }
const group = { id: -100123, type: 'supergroup', title: 'Printers' }
const base = { message_id: 5, date: 1_790_000_000, chat: group, from: ann }
const read = (change: object) => readUpdate({ update_id: 1, message: { ...base, ...change } }, bot, 1_790_000_100_000).message

describe('an update of Telegram', () => {
  it('is a message for the bot if it names it, is a command to it, or answers it', () => {
    const named = { text: 'Hey @Town_Bot print', entities: [{ type: 'mention', offset: 4, length: 9 }] }
    const command = { text: '/ask@town_bot why', entities: [{ type: 'bot_command', offset: 0, length: 13 }] }
    const answer = { text: 'yes', reply_to_message: { message_id: 4, from: { id: bot.id } } }
    const other = { text: '@town_bot_2 go', entities: [{ type: 'mention', offset: 0, length: 11 }] }
    expect([named, command, answer, other].map(read).map((each) => [each?.text, each?.mentioned])).to.deep.equal([
      ...[
        ['Hey print', true],
        ['/ask why', true],
      ],
      ...[
        ['yes', true],
        ['@town_bot_2 go', false],
      ],
    ])
  })

  it('quotes what was forwarded, with the name of who wrote it: it is no command and no answer of who forwards it', () => {
    const texts = [
      { text: '/stop', forward_origin: { type: 'user', sender_user: { id: 9, is_bot: false, first_name: 'Eve' } } },
      { text: 'yes', forward_origin: { type: 'hidden_user', sender_user_name: 'Eve\nAnn Lee:' } },
      { text: 'yes\n/new', forward_origin: { type: 'channel', chat: { id: -9, title: 'News' } } },
      { caption: 'yes', photo: [{ file_id: 'a' }], forward_origin: { type: 'chat', sender_chat: { id: -9 } } },
      { text: 'yes', forward_date: 1_780_000_000 },
    ].map((change) => read(change)?.text)
    expect(texts).to.deep.equal([
      ...['Forwarded message of Eve:\n> /stop', 'Forwarded message of Eve Ann Lee::\n> yes', 'Forwarded message of News:\n> yes\n> /new'],
      ...['Forwarded message of another chat:\n> yes', 'Forwarded message of another chat:\n> yes'],
    ])
  })

  it('has its topic as its conversation, whose first message it does not answer', () => {
    const topic = { is_topic_message: true, message_thread_id: 3, reply_to_message: { message_id: 3, from: { id: bot.id } } }
    const message = read({ text: 'in a topic', ...topic })
    expect(message).to.include({ mentioned: false }).and.not.have.property('replyTo')
    expect(message?.conversation).to.deep.equal({ id: '-100123/3', kind: 'group', title: 'Printers' })
    expect(read({ text: 'in a thread', message_thread_id: 3 })?.conversation.id).to.equal('-100123')
  })

  it('keeps administrators who hide, and channels, apart by the chat in whose name they write', () => {
    const shared = { id: 1_087_968_824, is_bot: true, first_name: 'Group' }
    expect(read({ text: 'a', from: shared, sender_chat: group })?.sender).to.deep.equal({
      id: 'chat:-100123',
      name: 'Printers',
      bot: false,
    })
    expect(read({ text: 'a', from: shared, sender_chat: { id: -9 }, is_automatic_forward: true })?.sender).to.deep.equal({
      id: 'chat:-9',
      bot: true,
    })
    expect(read({ text: 'a', from: shared, sender_chat: {} })).to.equal(undefined)
  })

  it('is no message if it is an edit, a post of a channel, or about the chat', () => {
    const edited = { update_id: 1, edited_message: { ...base, text: 'other' } }
    expect(readUpdate(edited, bot, 0)).to.deep.equal({})
    expect(readUpdate({ update_id: 1, channel_post: { ...base, text: 'post' } }, bot, 0)).to.deep.equal({})
    expect(read({ new_chat_members: [ann] })).to.equal(undefined)
    expect(read({ chat: { id: 1, type: 'channel' }, text: 'post' })).to.equal(undefined)
  })

  it('has the largest picture, voices, and places as text', () => {
    const photo = [
      { file_id: 'small', file_size: 1 },
      { file_id: 'large', file_size: 2 },
    ]
    expect(read({ photo, caption: 'see' })).to.deep.include({
      text: 'see',
      attachments: [{ id: 'large', mediaType: 'image/jpeg', size: 2 }],
    })
    expect(read({ voice: { file_id: 'v', mime_type: 'audio/ogg' } })?.attachments).to.deep.equal([{ id: 'v', mediaType: 'audio/ogg' }])
    expect(read({ location: { latitude: 48.2, longitude: 16.4 } })?.text).to.equal('Location: 48.2, 16.4')
    expect(read({ document: { file_id: '../../x' } })).to.equal(undefined)
  })

  it('says who has pressed an old button, of which nothing else is known', () => {
    const press = { id: '99', from: ann, data: 'yes:1', message: { message_id: 5, date: 0, chat: group } }
    expect(readUpdate({ callback_query: press }, bot, 1_790_000_100_000)).to.deep.equal({
      pressed: '99',
      message: {
        ...{
          id: 'press/99',
          conversation: { id: '-100123', kind: 'group', title: 'Printers' },
          sender: { id: '7', name: 'Ann Lee', bot: false },
        },
        ...{ text: 'yes:1', at: 1_790_000_100_000, mentioned: true, replyTo: '-100123/5', button: 'yes:1' },
      },
    })
  })
})
