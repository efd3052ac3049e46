import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.js'

const plugin = fileURLToPath(new URL('../../../../examples/provider-scripted', import.meta.url))

/** Ends every answer of a scripted model. */
export const demoNotice = '(This is a demo: the answer comes from a script, no model was asked.)'

/** What the one model says, word by word; `{message}` is what it was asked. */
export interface ScriptedModel {
  readonly reply: string
  /** The pause between two words, in milliseconds. */
  readonly wordDelayMs: number
}

/** The environment of a service whose agents have this model. */
export const scriptedEnvironment = ({ reply, wordDelayMs }: ScriptedModel): Readonly<Record<string, string>> => ({
  SERVICE_PLUGINS_SOURCES: JSON.stringify([path.resolve(plugin)]),
  SERVICE_PLUGINS_SETTINGS: JSON.stringify({
    'provider-scripted': { models: { drilled: { word_delay_ms: wordDelayMs, answers: [{ when: '', reply }] } } },
  }),
  SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
  SERVICE_MODELS: JSON.stringify({ primary: { provider: 'demo', model: 'drilled', api: 'scripted' } }),
})

/** Starts the service with this model; on the folder and the port of a former one, if given. */
export const startScriptedService = (model: ScriptedModel, former?: ServiceProcess): Promise<ServiceProcess> =>
  startServiceProcess({
    environment: { ...scriptedEnvironment(model), ...(former && { SERVICE_SERVER_PORT: new URL(former.url).port }) },
    ...(former && { folder: former.folder }),
  })
