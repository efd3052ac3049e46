import { describeProviderAdapter, type ProviderScenario, type ProviderUpstream } from '@agent-service/sdk/testing'
import { createScriptedAdapter } from './adapter.js'
import { demoNotice } from './choose-answer.js'

const models = {
  talks: { word_delay_ms: 0, calls_get_time: false, plays_demo: false, answers: [{ when: 'time', reply: 'Look: {message}' }] },
  calls: { word_delay_ms: 0, calls_get_time: true, plays_demo: false, answers: [] },
  slow: { word_delay_ms: 60_000, calls_get_time: false, plays_demo: false, answers: [{ when: '', reply: 'One two' }] },
}

const modelFor: Readonly<Partial<Record<ProviderScenario, keyof typeof models>>> = { text: 'talks', 'tool-call': 'calls', endless: 'slow' }

describeProviderAdapter({
  name: 'scripted',
  create: () => createScriptedAdapter({ models }),
  scenarios: ['text', 'tool-call', 'endless'],
  // Without a network the upstream is only the name of a script.
  upstream: (scenario): Promise<ProviderUpstream> =>
    Promise.resolve({
      connection: { handle: 'demo', brand: 'demo', baseUrl: '', quirks: {} },
      protocol: 'scripted',
      model: modelFor[scenario] ?? 'talks',
      expected:
        scenario === 'text'
          ? { text: `Look: What time is it? ${demoNotice}`, models: ['scripted', 'demo', ...Object.keys(models)] }
          : { toolCalls: [{ name: 'get_time', arguments: {} }] },
      calls: () => 0,
      idle: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }),
})
