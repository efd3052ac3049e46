import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import type { ScriptedModel } from './configuration.js'
import { resultsSince, type ScriptedAnswer, titledWords, wantedCall, writtenIn, zoneIn } from './conversation/conversation.js'

/** Ends every answer of an own script, so that no user takes it for a model. */
export const demoNotice = '(This is a demo: the answer comes from a script, no model was asked.)'

/**
 * Depends on nothing but the request and the script: the same conversation always gets the same
 * answer.
 */
export function chooseAnswer(request: ModelRequest, model: ScriptedModel): ScriptedAnswer {
  const written = writtenIn(request)
  const results = resultsSince(request)
  if (results.length > 0) return { text: `The tool says: ${results.map(({ text }) => text).join(', ')}. ${demoNotice}` }
  const titled = titledWords(written)
  // The service asks for a title of the chat: its first line is one.
  if (titled !== undefined) return { text: titled }
  const wanted = wantedCall(written, request)
  if (wanted) return { text: `I call ${wanted.name}. ${demoNotice}`, call: { id: `scripted_${request.messages.length}`, ...wanted } }
  const offersClock = request.tools.some((tool) => tool.name === 'get_time')
  if (model.calls_get_time && offersClock && /\b(time|clock|date|day)\b/i.test(written)) {
    const zone = zoneIn(written)
    return {
      text: `Let me look at the clock. ${demoNotice}`,
      call: { id: `scripted_${request.messages.length}`, name: 'get_time', arguments: zone === undefined ? {} : { timezone: zone } },
    }
  }
  const found = model.answers.find((answer) => written.toLowerCase().includes(answer.when.toLowerCase()))
  const reply = (found?.reply ?? 'I have no line for that.').replaceAll('{message}', () => written)
  return { text: `${reply} ${demoNotice}` }
}
