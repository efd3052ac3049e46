import type { ConversationMessage } from '@agent-service/sdk/services/agents'
import { expect } from 'chai'
import { emptyKey, instructionsOf, keyBehind, nameKey } from './conversation-key.js'

const place = { userId: 'u', agentId: 'a', instructions: '' }
const user = (text: string): ConversationMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const answer = (text: string): ConversationMessage => ({ role: 'assistant', content: [{ type: 'text', text }] })

describe('the key of a conversation', () => {
  it('is the same for the same messages, however they are grouped', async () => {
    const empty = emptyKey(place)
    const whole = await keyBehind(empty, [user('Hi'), answer('Hello.')])
    expect(await keyBehind(await keyBehind(empty, [user('Hi')]), [answer('Hello.\n')])).to.equal(whole)
    expect(whole).to.match(/^[0-9a-f]{64}$/)
  })

  it('differs by user, agent, instructions, role, order and content', async () => {
    const keys = await Promise.all([
      ...[place, { ...place, userId: 'v' }, { ...place, agentId: 'b' }, { ...place, instructions: 'x' }].map((one) =>
        keyBehind(emptyKey(one), [user('Hi')]),
      ),
      ...[[answer('Hi')], [user('Hi'), answer('Yo')], [answer('Yo'), user('Hi')], [user('H'), user('i')]].map((all) =>
        keyBehind(emptyKey(place), all),
      ),
      keyBehind(emptyKey(place), [{ role: 'user', content: [{ type: 'image', media_type: 'image/png', data: 'AAAA' }] }]),
      keyBehind(emptyKey(place), [{ role: 'user', content: [{ type: 'image', media_type: 'image/png', data: 'BBBB' }] }]),
      nameKey({ ...place, name: 'resp_1' }),
      nameKey({ ...place, name: 'resp_2' }),
    ])
    expect(new Set(keys).size).to.equal(keys.length)
  })

  it('includes the instructions of a program, which may be empty', () => {
    const system = (text: string): ConversationMessage => ({ role: 'system', content: [{ type: 'text', text }] })
    expect(instructionsOf([user('Hi'), system(' ')])).to.deep.equal({ text: '', hash: '' })
    expect(instructionsOf([system('Be brief.'), user('Hi'), system('Be kind.')]).text).to.equal('Be brief.\n\nBe kind.')
    expect(instructionsOf([system('A')]).hash).to.not.equal(instructionsOf([system('B')]).hash)
  })
})
