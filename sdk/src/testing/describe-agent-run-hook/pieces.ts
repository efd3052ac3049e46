import { strict as assert } from 'node:assert'
import type { AgentRunHook, MaskedAnswer, MaskedTexts } from '../../contracts/agent-run-hook/run-hook.js'
import type { SuiteRunner } from '../suite-runner.js'
import { assertTexts, callMember, subjects } from './hook-calls.js'
import type { CreateHook, MaskExample } from './mask-example.js'

/** Texts in which no hook has anything to hide. */
const plainTexts = [
  ...['Sunny', '', ' two  spaces ', 'one line\nanother\r\n\tand a third\n', 'Grüße aus 東京', 'a leaf 🌱', '{"sky":["blue",null]}'],
  'There is nothing else to see in the meadow. '.repeat(500),
]
/** Longer than what a hook can need to hold back. */
const longOutput = Array.from({ length: 64 }, () => `${'There is nothing to see in the meadow. '.repeat(25)}\n`)

/** Rules for texts without anything to hide. */
export function describePlainTexts(create: CreateHook, runner: SuiteRunner): void {
  runner.it('leaves texts as they are where there is nothing to hide', async () => {
    const hook = await create()
    if (hook.mask !== undefined)
      for (const kind of ['result', 'progress', 'error', 'purpose', 'question'] as const) {
        const given = { ...subjects.mask, kind, callId: `call-${kind}` }
        const groups = kind === 'result' ? [plainTexts] : plainTexts.map((text) => [text])
        for (const texts of groups)
          assert.deepEqual(await callMember(hook, 'mask', { ...given, texts: [...texts] }), texts, `texts of kind ${kind}`)
      }
    if (hook.maskAnswer !== undefined) {
      const answer = await callMember(hook, 'maskAnswer', { ...subjects.maskAnswer, texts: [...plainTexts] })
      assert.deepEqual(answer ?? plainTexts, plainTexts, 'a whole answer')
    }
  })
  runner.it('shows output where there is nothing to hide, in order and not only at its end', async () => {
    const hook = await create()
    if (hook.mask !== undefined) {
      const shown = await showPieces(longOutput, (texts) => maskOutput(hook, { callId: 'call-long', texts }))
      assert.ok(shown !== '', 'nothing of a long output is shown')
      assertBeginning(shown, longOutput.join(''), 'the output')
    }
    if (hook.maskAnswer !== undefined)
      assertBeginning(await showPieces(longOutput, (texts) => maskPiece(hook, { texts })), longOutput.join(''), 'an answer in pieces')
  })
}

/** Rules for the pieces of several calls and answers. */
export function describePieces(create: CreateHook, example: MaskExample, runner: SuiteRunner): void {
  const { title, hidden, place = {} } = example
  const { tool: _, ...owner } = place
  const stranger = { userId: 'user-2', agentId: 'agent-2', chatId: 'chat-2', runId: 'run-2' }
  const plain = ['Nothing ', 'to see ', 'in the ', 'meadow.']
  const assertApart = async (
    pieces: readonly string[],
    others: readonly string[],
    mask: { one(texts: readonly string[]): Promise<readonly string[]>; other(texts: readonly string[]): Promise<readonly string[]> },
  ): Promise<void> => {
    let shown = ''
    let shownOther = ''
    for (let index = 0; index < Math.max(pieces.length, others.length); index += 1) {
      const [piece, other] = [pieces[index], others[index]]
      const [one, two] = await Promise.all([piece === undefined ? [] : mask.one([piece]), other === undefined ? [] : mask.other([other])])
      shown += one.join('')
      shownOther += two.join('')
    }
    for (const secret of hidden) assert.ok(!shown.includes(secret), 'a hidden text is readable in pieces beside other pieces')
    assert.ok(!shown.includes('meadow'), 'the pieces of one have a text of another')
    assertBeginning(shownOther, others.join(''), 'what is shown of another')
  }

  runner.it(`keeps the pieces of calls and answers apart: ${title}`, async () => {
    const text = example.texts.join('\n')
    const cut = text.match(/[\s\S]{1,7}/gu) ?? []
    const hook = await create()
    if (hook.mask !== undefined) {
      const lines = hook.outputPieces === 'any' ? cut : example.texts.map((one) => `${one}\n`)
      const others = hook.outputPieces === 'any' ? plain : plain.map((one) => `${one}\n`)
      await assertApart(lines, others, {
        one: (texts) => maskOutput(hook, { ...place, callId: 'call-a', texts }),
        other: (texts) => maskOutput(hook, { ...stranger, callId: 'call-b', texts }),
      })
    }
    if (hook.maskAnswer === undefined) return
    for (const [index, other] of [stranger, { ...owner, part: 1 }, { ...owner, attempt: 1 }, { ...owner, turn: 1 }].entries()) {
      const runId = `run-apart-${index}`
      await assertApart(cut, plain, {
        one: (texts) => maskPiece(hook, { ...owner, runId, texts }),
        other: (texts) => maskPiece(hook, { runId, ...other, texts }),
      })
    }
  })
}

async function showPieces(pieces: readonly string[], mask: (texts: readonly string[]) => Promise<readonly string[]>): Promise<string> {
  let shown = ''
  for (const piece of pieces) shown += (await mask([piece])).join('')
  return shown
}

async function maskOutput(hook: AgentRunHook, changes: Partial<MaskedTexts>): Promise<readonly string[]> {
  const given = { ...subjects.mask, kind: 'output', ...changes } as const
  const answer = await callMember(hook, 'mask', given)
  assertTexts(answer, given.texts.length)
  return answer
}

async function maskPiece(hook: AgentRunHook, changes: Partial<MaskedAnswer>): Promise<readonly string[]> {
  const given = { ...subjects.maskAnswer, kind: 'piece', ...changes } as const
  const answer = (await callMember(hook, 'maskAnswer', given)) ?? given.texts
  assertTexts(answer, given.texts.length)
  return answer
}

function assertBeginning(shown: string, whole: string, what: string): void {
  assert.ok(whole.startsWith(shown), `${what} is changed where there is nothing to hide: “${shown.slice(-80)}”`)
}

/** A text in two pieces, cut at each of at most 40 places, and in pieces of 1 and 3 characters. */
export function waysToCut(text: string): readonly (readonly string[])[] {
  const step = Math.max(1, Math.ceil(text.length / 40))
  const places = Array.from({ length: Math.floor((text.length - 1) / step) }, (_, index) => (index + 1) * step)
  const halves = places.map((place) => [text.slice(0, place), text.slice(place)])
  return [...halves, ...[1, 3].map((length) => text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? [])]
}
