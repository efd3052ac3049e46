import { strict as assert } from 'node:assert'
import type { AgentRunHook, MaskedAnswer, MaskedTexts } from '../../contracts/agent-run-hook/run-hook.js'
import type { SuiteRunner } from '../suite-runner.js'
import { assertTexts, assertVerdict, callMember, subjects, vetoing } from './hook-calls.js'
import type { CreateHook, MaskExample } from './mask-example.js'
import { waysToCut } from './pieces.js'

/** Rules for what is masked in one example. */
export function describeMask(create: CreateHook, example: MaskExample, runner: SuiteRunner): void {
  const { title, texts, hidden, kept = [] } = example
  const maskWith = async (hook: AgentRunHook, changes: Partial<MaskedTexts>): Promise<readonly string[]> => {
    const given = { ...subjects.mask, ...example.place, ...changes }
    const answer = await callMember(hook, 'mask', given)
    assertTexts(answer, given.texts.length)
    return answer
  }
  runner.it(`masks a result: ${title}`, async () => {
    const masked = await maskWith(await create(), { texts })
    for (const secret of hidden) assert.ok(!masked.join('').includes(secret), 'a hidden text is readable')
    for (const text of kept)
      assert.ok(
        masked.some((one) => one.includes(text)),
        `“${text}” is missing`,
      )
  })
  runner.it(`masks the answer of a model, in pieces and whole, if it masks answers: ${title}`, async () => {
    const hook = await create()
    if (hook.maskAnswer === undefined) return
    const answered = async (changes: Partial<MaskedAnswer>): Promise<readonly string[]> => {
      const { tool: _, ...place } = example.place ?? {}
      const given = { ...subjects.maskAnswer, ...place, ...changes }
      const answer = (await callMember(hook, 'maskAnswer', given)) ?? given.texts
      assertTexts(answer, given.texts.length)
      return answer
    }
    const whole = await answered({ texts })
    for (const secret of hidden) assert.ok(!whole.join('').includes(secret), 'a hidden text is readable in the whole answer')
    for (const [part, text] of texts.entries()) {
      for (const [number, pieces] of waysToCut(text).entries()) {
        let shown = ''
        for (const piece of pieces) shown += (await answered({ kind: 'piece', part, runId: `run-cut-${number}`, texts: [piece] })).join('')
        for (const secret of hidden) assert.ok(!shown.includes(secret), `a hidden text is readable in ${pieces.length} pieces of an answer`)
      }
    }
  })
  runner.it(`masks what is hidden wherever it is, as often as it is there: ${title}`, async () => {
    const hook = await create()
    for (const [number, [secret, text]] of surroundingsOf(example).entries()) {
      const masked = await maskWith(hook, { texts: ['Before', text, 'Behind'], callId: `call-${number}` })
      const hint = 'if the hook knows it only by what stands around it, give where: “in texts”'
      assert.ok(!masked.join('').includes(secret), `a hidden text is readable in “${text.slice(-60)}”; ${hint}`)
    }
  })
  runner.it(`masks calls at once as if each were alone: ${title}`, async () => {
    const hook = await create()
    const both = await Promise.all([
      maskWith(hook, { texts, callId: 'call-a' }),
      maskWith(hook, { texts: ['Plain'], callId: 'call-b' }),
      maskWith(hook, { texts, callId: 'call-c' }),
    ])
    for (const secret of hidden) assert.ok(!both.flat().join('').includes(secret), 'a hidden text is readable beside another call')
    assert.equal(both[1]?.length, 1, 'texts of two calls are mixed up')
  })
  runner.it(`masks output in pieces, if it takes it cut anywhere: ${title}`, async () => {
    const hook = await create()
    if (hook.outputPieces !== 'any') return
    for (const [index, text] of texts.entries())
      for (const [number, pieces] of waysToCut(text).entries()) {
        let shown = ''
        for (const piece of pieces)
          shown += (await maskWith(hook, { kind: 'output', callId: `call-cut-${index}-${number}`, texts: [piece] })).join('')
        for (const secret of hidden) assert.ok(!shown.includes(secret), `a hidden text is readable in ${pieces.length} pieces of output`)
      }
  })
  runner.it(`gives no reason with what is hidden: ${title}`, async () => {
    const hook = await create()
    for (const [secret, text] of example.where === undefined ? hidden.map((one) => [one, one] as const) : surroundingsOf(example)) {
      const content = [{ type: 'text', text }] as const
      const given = {
        beforeModelCall: { messages: [{ role: 'user', content }] },
        afterModelCall: { content },
        beforeToolCall: { arguments: { query: text } },
        afterToolCall: { content },
      } as const
      for (const member of vetoing) {
        if (hook[member] === undefined) continue
        const verdict = await callMember(hook, member, { ...structuredClone(subjects[member]), ...example.place, ...given[member] })
        assertVerdict(verdict)
        assert.ok(!verdict?.veto.includes(secret), `the reason of ${member} has what is to be hidden`)
      }
    }
  })
  runner.it(`masks masked text again without a change: ${title}`, async () => {
    const hook = await create()
    const once = await maskWith(hook, { texts })
    const twice = await maskWith(hook, { texts: once, callId: 'call-2' })
    for (const secret of hidden) assert.ok(!twice.join('').includes(secret), 'a hidden text is readable after the second masking')
  })
  for (const kind of ['progress', 'output', 'error', 'purpose', 'question'] as const) {
    runner.it(`masks each text of kind ${kind}: ${title}`, async () => {
      const hook = await create()
      for (const [index, text] of texts.entries()) {
        const whole = hidden.filter((secret) => text.includes(secret))
        const masked = await maskWith(hook, { texts: [text], kind, callId: `call-${kind}-${index}` })
        for (const secret of whole) assert.ok(!masked.join('').includes(secret), 'a hidden text is readable')
      }
    })
  }
}

/** Each hidden text, with texts in which it is hidden, too. */
function surroundingsOf({ texts, hidden, where }: MaskExample): readonly (readonly [secret: string, text: string])[] {
  const long = 'x '.repeat(5_000)
  return hidden.flatMap((secret) => {
    const around = [`${secret} ${secret} ${secret}`, `\n${secret}\n`, `{"value":"${secret}"}`, `(${secret})`, `${long}${secret}`]
    if (where === undefined) return around.map((text) => [secret, text] as const)
    const whole = texts.filter((text) => text.includes(secret))
    return whole.flatMap((text) => [`${text}\n${text}\n${text}`, `\n${text}\n`, `${long}\n${text}`].map((one) => [secret, one] as const))
  })
}
