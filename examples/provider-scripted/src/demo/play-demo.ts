import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { attachedTo, dayOf, resultsSince, type ScriptedAnswer, titledWords, wantedCall, writtenIn } from '../conversation/conversation.js'
import { languageOf } from './language-of.js'
import type { Act, Scene, Stage } from './scenes/scene.js'
import { script } from './script.js'

/**
 * What the demo says and calls next. It depends on the conversation alone: the same question, also
 * after a restart, gets the same answer.
 */
export function playDemo(request: ModelRequest): ScriptedAnswer {
  const written = writtenIn(request)
  const titled = titledWords(written)
  if (titled !== undefined) return { text: titleOf(titled) }
  const called = calledByHand(request, written)
  const stage = stageOf(request, written)
  const { say, call } = called ?? sceneFor(stage).next(stage)
  return call ? { text: say, call: { id: `demo_${request.messages.length}`, name: call.tool, arguments: call.input } } : { text: say }
}

const stageOf = (request: ModelRequest, written: string): Stage => ({
  written,
  language: languageOf(written),
  day: dayOf(request),
  attached: attachedTo(request),
  results: resultsSince(request),
  offers: (tool) => request.tools.some(({ name }) => name === tool),
})

const sceneFor = (stage: Stage): Scene => {
  const found = script.find(({ fits }) => fits(stage))
  if (!found) throw new Error('The script of the demo has no scene for everything else.')
  return found
}

/** `call roll_dice {"count": 3}`, for authors of tools. */
function calledByHand(request: ModelRequest, written: string): Act | undefined {
  const wanted = wantedCall(written, request)
  if (!wanted) return undefined
  const results = resultsSince(request)
  if (results.length > 0) return { say: `The tool says: ${results.map(({ text }) => text).join(', ')}.` }
  return { say: `I call ${wanted.name}.`, call: { tool: wanted.name, input: wanted.arguments } }
}

/** The service asks for a title of the chat: that of the scene, or the person's first words. */
function titleOf(words: string): string {
  const lines = words.split('\n')
  const written = lines.find((line) => line !== '' && !/^\(the file .*\)$/.test(line))
  if (written === undefined) return /^\(the file (.*)\)$/.exec(lines[0] ?? '')?.[1] ?? words
  const language = languageOf(written)
  const none = { day: undefined, attached: { last: [], all: [] }, results: [], offers: () => false }
  return sceneFor({ written, language, ...none }).title?.[language] ?? written
}
