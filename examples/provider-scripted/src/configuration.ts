import { type Static, Type } from '@agent-service/sdk'

/** What a scripted model says, and when. */
const answerSchema = Type.Object({
  when: Type.String({ description: 'Words that the last message must contain, in any case. Empty: always.' }),
  reply: Type.String({ minLength: 1, description: 'The answer. {message} is replaced by the last message.' }),
})

const modelSchema = Type.Object({
  word_delay_ms: Type.Integer({ minimum: 0, default: 40, description: 'The pause between two words, in milliseconds.' }),
  calls_get_time: Type.Boolean({ default: true, description: 'Whether it calls the tool get_time when it is asked about the time.' }),
  plays_demo: Type.Boolean({ default: false, description: 'Whether it plays the script of the demo instead of the answers below.' }),
  answers: Type.Array(answerSchema, { default: [], description: 'Tried in order; the first that fits is given.' }),
})

/** The settings of the plugin: scripted models by name. `scripted` and `demo` are always there. */
export const configurationSchema = Type.Object({
  models: Type.Record(Type.String(), modelSchema, {
    default: {},
    description: 'Scripted models by name, beside the built-in ones called scripted and demo.',
  }),
})

export type ScriptedModel = Static<typeof modelSchema>
export type Configuration = Static<typeof configurationSchema>

/** The models that are always there: one that shows what a script is, and that of the demo. */
export const builtInModels: Readonly<Record<string, ScriptedModel>> = {
  scripted: {
    word_delay_ms: 40,
    calls_get_time: true,
    plays_demo: false,
    answers: [
      { when: 'hello', reply: 'Hello! Ask me what time it is, and I will call a tool.' },
      { when: 'help', reply: 'I can greet you, repeat what you wrote, and look at the clock with a tool.' },
      { when: '', reply: 'You wrote: {message}' },
    ],
  },
  demo: { word_delay_ms: 30, calls_get_time: false, plays_demo: true, answers: [] },
}
