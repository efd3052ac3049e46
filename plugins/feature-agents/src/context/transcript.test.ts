import { expect } from 'chai'
import type { Message } from '../store/chats/message.js'
import { shorten, takeChunk, transcriptOf } from './transcript.js'

describe('a message in a transcript', () => {
  it('is of the person, or of the agent that wrote it in their place', () => {
    const message = { sequence: 1, role: 'user', status: 'complete', content: [{ type: 'text', text: 'Count.' }] } as unknown as Message
    expect(transcriptOf(message)).to.equal('#1 Person:\nCount.\n')
    expect(transcriptOf({ ...message, sent_by: { agent_id: 'a', name: 'Planner' } })).to.equal('#1 Another agent, “Planner”:\nCount.\n')
    expect(transcriptOf({ ...message, sent_by: { agent_id: 'a', name: null } })).to.equal('#1 Another agent:\nCount.\n')
  })
})

describe('an answer in a transcript', () => {
  it('is without reasoning that was stored in its text; what a person writes stays', () => {
    const content = [{ type: 'text', text: '<think>\nHm.\n</think>\n\nRome.' }]
    const answer = { sequence: 2, role: 'assistant', status: 'complete', content } as unknown as Message
    expect(transcriptOf(answer)).to.equal('#2 Agent:\nRome.\n')
    expect(transcriptOf({ ...answer, role: 'user' })).to.contain('<think>')
  })
})

describe('a chunk of a transcript', () => {
  it('is the whole of one that fits, also exactly', () => {
    const transcript = '#1 Ada: one, and much more\n#2 Bob: two\n'
    expect(takeChunk(transcript, transcript.length)).to.equal(transcript)
    expect(takeChunk(transcript, transcript.length + 1)).to.equal(transcript)
  })

  it('ends before a message that begins in its second half', () => {
    const first = '#1 Ada: one and a half\n'
    expect(takeChunk(`${first}#2 Bob: two`, first.length + 5)).to.equal(first)
  })

  it('is cut inside a message that is longer than half of it', () => {
    expect(takeChunk(`#1 x\n#2 ${'y'.repeat(100)}`, 50)).to.equal(`#1 x\n#2 ${'y'.repeat(42)}`)
  })
})

describe('a shortened text', () => {
  it('is the text itself if it fits exactly', () => {
    expect(shorten('0123456789', 10)).to.equal('0123456789')
  })

  it('keeps the beginning and the end, and says how much is left out', () => {
    expect(shorten('abcdefghijklmnopqrst', 10)).to.equal('abcdefg (… 10 characters …) rst')
  })
})
